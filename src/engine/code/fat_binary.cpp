// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/code/fat_binary.h"

#include "engine/code/ptx_text.h"
#include "module/image/nvidia_fat_binary.h"
#include "support/readable_memory.h"

#include <algorithm>
#include <cstdint>
#include <memory>

namespace heddle::engine {

namespace {

constexpr const char *name_of_ptx = "PTX of a fat binary"; // in messages

/// Shorter texts are compiled whole: that takes about as long as a process for one of their
/// kernels.
constexpr size_t least_divided = size_t(64) << 10;

[[noreturn]] void refuse() {
  throw NoPtx("a fat binary of nvcc with machine code of GPUs only, without PTX");
}

// A program hands over where a fat binary begins. How long it is stands in it, and may be wrong.
std::string ptxIn(const void *data, size_t limit, unsigned capability) {
  if (limit == SIZE_MAX)
    limit = readableBytes(data);
  return ptxOfFatBinary(data, limit, capability);
}

} // namespace

bool isFatBinary(const void *data) { return isNvidiaFatBinary(data); }

std::string ptxToRun(const void *data, size_t limit, unsigned capability) {
  std::string ptx = ptxIn(data, limit, capability);
  if (ptx.empty())
    refuse();
  return ptx;
}

PtxToRun openFatBinary(const void *data, size_t limit, unsigned capability) {
  const auto text = std::make_shared<const std::string>(ptxToRun(data, limit, capability));
  PtxToRun opened;
  if (text->size() >= least_divided)
    opened.parts = PtxParts::divide(text);
  if (!opened.parts)
    opened.image = imageOfPtx({{name_of_ptx, *text}});
  return opened;
}

std::vector<std::byte> imageOfPart(const PtxParts &parts, size_t number) {
  std::string name = name_of_ptx;
  const auto &kernels = parts.kernels();
  const auto first = std::ranges::find(kernels, std::optional(number),
                                       [&](std::string_view kernel) { return parts.find(kernel); });
  if (first != kernels.end())
    name += ", kernel " + std::string(*first);
  return imageOfPtx({{name, parts.text(number)}});
}

PtxToRun openLinkedFatBinary(const void *data, const std::vector<const void *> &objects,
                             unsigned capability) {
  if (objects.empty() || !ptxIn(data, SIZE_MAX, capability).empty())
    return openFatBinary(data, SIZE_MAX, capability);
  std::vector<PtxInput> inputs;
  for (const void *object : objects) {
    if (!isFatBinary(object))
      throw std::runtime_error("a fat binary of nvcc's device link with objects of another kind");
    std::string ptx = ptxToRun(object, SIZE_MAX, capability);
    if (isDeviceRuntime(ptx))
      continue;
    const std::string number = std::to_string(inputs.size() + 1);
    inputs.push_back({name_of_ptx + std::string(", object ") + number, std::move(ptx)});
  }
  return {imageOfPtx(inputs), std::nullopt};
}

} // namespace heddle::engine

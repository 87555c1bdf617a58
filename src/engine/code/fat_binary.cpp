// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/code/fat_binary.h"

#include "engine/code/ptx_text.h"
#include "module/image/nvidia_fat_binary.h"
#include "support/readable_memory.h"

#include <cstdint>

namespace heddle::engine {

namespace {

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

std::vector<std::byte> imageOfFatBinary(const void *data, size_t limit, unsigned capability) {
  return imageOfPtx({{"PTX of a fat binary", ptxToRun(data, limit, capability)}});
}

std::vector<std::byte> imageOfLinkedFatBinary(const void *data,
                                              const std::vector<const void *> &objects,
                                              unsigned capability) {
  if (objects.empty() || !ptxIn(data, SIZE_MAX, capability).empty())
    return imageOfFatBinary(data, SIZE_MAX, capability);
  std::vector<PtxInput> inputs;
  for (const void *object : objects) {
    if (!isFatBinary(object))
      throw std::runtime_error("a fat binary of nvcc's device link with objects of another kind");
    std::string ptx = ptxToRun(object, SIZE_MAX, capability);
    if (isDeviceRuntime(ptx))
      continue;
    const std::string number = std::to_string(inputs.size() + 1);
    inputs.push_back({"PTX of a fat binary, object " + number, std::move(ptx)});
  }
  return imageOfPtx(inputs);
}

} // namespace heddle::engine

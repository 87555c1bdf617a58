// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/code/ptx_text.h"

#include "engine/code/cache.h"
#include "module/image/image.h"
#include "support/paths.h"
#include "support/process.h"

#include <filesystem>
#include <fstream>
#include <iterator>

namespace heddle::engine {
namespace fs = std::filesystem;
namespace {

// What ends heddle-jit's work on PTX (compiler/jit_commands.cpp).
PtxProblem::Kind kindOf(int exit_code) {
  switch (exit_code) {
  case 1:
    return PtxProblem::Invalid;
  case 3:
    return PtxProblem::TooNew;
  case 4:
    return PtxProblem::Unresolved;
  default:
    return PtxProblem::Internal;
  }
}

// Names and texts in one file, each behind its length.
std::string packed(const std::vector<PtxInput> &inputs) {
  std::string all;
  for (const PtxInput &input : inputs)
    for (const std::string *part : {&input.name, &input.text})
      all += std::to_string(part->size()) + "\n" + *part;
  return all;
}

void compileTo(const fs::path &output, const std::string &texts) {
  const fs::path input = output.string() + ".ptx";
  std::error_code ignored;
  std::ofstream file(input, std::ios::binary);
  file << texts;
  file.close();
  if (!file) {
    const int reason = errno;
    fs::remove(input, ignored);
    throw std::system_error(reason, std::generic_category(), "cannot write " + input.string());
  }
  const ProcessResult compiler = runProcess(
      {jitProgram().string(), "ptx", input.string(), output.string()}, Capture::OutputAndErrors);
  fs::remove(input, ignored);
  if (compiler.exit_code == 127)
    throw PtxProblem(PtxProblem::Internal,
                     "cannot run Heddle's compiler " + jitProgram().string() + "\n");
  if (compiler.exit_code != 0)
    throw PtxProblem(kindOf(compiler.exit_code), compiler.output);
}

std::vector<std::byte> readImageFile(const fs::path &path) {
  std::ifstream file(path, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  const size_t size = imageBytes(bytes.data());
  if (size == 0 || size > bytes.size())
    return {};
  const auto *first = reinterpret_cast<const std::byte *>(bytes.data());
  return {first, first + size};
}

} // namespace

std::vector<std::byte> imageOfPtx(const std::vector<PtxInput> &inputs) {
  const std::string texts = packed(inputs), key = cacheKey(texts, "ptx", "");
  if (const fs::path found = findInCache(key); !found.empty())
    if (std::vector<std::byte> image = readImageFile(found); !image.empty())
      return image;
  bool temporary = false;
  const fs::path made =
      addToCache(key, [&](const fs::path &output) { compileTo(output, texts); }, temporary);
  std::vector<std::byte> image = readImageFile(made);
  std::error_code ignored;
  if (temporary)
    fs::remove(made, ignored);
  if (image.empty())
    throw PtxProblem(PtxProblem::Internal, "cannot read the image of PTX text\n");
  return image;
}

PtxNeeds needsOfImage(std::span<const std::byte> bytes) {
  ImageInfo info = readImage(bytes).info;
  PtxNeeds needs{std::move(info.codes), "", 0};
  for (const KernelInfo &kernel : info.kernels)
    if (kernel.static_shared_bytes > needs.shared_bytes) {
      needs.kernel = kernel.name;
      needs.shared_bytes = kernel.static_shared_bytes;
    }
  return needs;
}

} // namespace heddle::engine

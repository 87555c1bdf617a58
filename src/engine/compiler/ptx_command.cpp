// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/ptx_command.h"

#include "engine/launch_analysis/analyze.h"
#include "module/ptx/module/compile.h"
#include "support/paths.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"

#include <cstdio>
#include <fstream>

namespace heddle::engine {
namespace {

std::string takePart(llvm::StringRef &rest) {
  size_t size = 0;
  if (rest.consumeInteger(10, size) || !rest.consume_front("\n") || size > rest.size())
    throw std::runtime_error("internal error: packed texts");
  const std::string part = rest.take_front(size).str();
  rest = rest.drop_front(size);
  return part;
}

std::vector<PtxText> readTexts(const char *path) {
  auto file = llvm::MemoryBuffer::getFile(path, false, false);
  if (!file)
    throw std::runtime_error(std::string("cannot read ") + path + ": " + file.getError().message());
  std::vector<PtxText> texts;
  for (llvm::StringRef rest = (*file)->getBuffer(); !rest.empty();) {
    std::string name = takePart(rest);
    texts.push_back({std::move(name), takePart(rest)});
  }
  return texts;
}

int statusOf(PtxFailure::Reason reason) {
  return reason == PtxFailure::TooNew ? 3 : reason == PtxFailure::Unresolved ? 4 : 1;
}

} // namespace

int compilePtxTexts(const char *input, const char *output) {
  const std::vector<PtxText> texts = readTexts(input);
  PrepareOptions options;
  options.source = texts.empty() ? "" : texts.front().name;
  options.analyze = simd::analyzeLaunches;
  options.device_library = installRoot() / "lib" / "heddle" / "devicelib.bc";
  try {
    const PreparedImage image = compilePtx(texts, options);
    std::ofstream file(output, std::ios::binary);
    file << image.bytes;
    if (file.flush())
      return 0;
    std::printf("cannot write %s\n", output);
    return 2;
  } catch (const PtxFailure &failure) {
    std::fputs(failure.what(), stdout);
    return statusOf(failure.reason);
  }
}

} // namespace heddle::engine

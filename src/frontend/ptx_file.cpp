// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/ptx_file.h"

#include "module/ptx/module/compile.h"

#include <cstdio>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace heddle::frontend {

std::optional<CompiledSource> compilePtxToImage(const Options &options, const Input &input) {
  std::ifstream file(input.path, std::ios::binary);
  if (!file)
    throw std::runtime_error("cannot read " + input.path);
  const PtxText text{input.path,
                     {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()}};
  try {
    PreparedImage image = compilePtx({&text, 1}, prepareOptions(options, input.path));
    return CompiledSource{std::move(image.bytes), std::move(image.info)};
  } catch (const PtxFailure &failure) {
    std::fputs(failure.what(), stderr);
    return std::nullopt;
  }
}

} // namespace heddle::frontend

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernel launches that nvcc takes and Clang does not:
//
//   k << < grid, block >> > (x)            broken apart by formatters that do not know CUDA
//   k<<<grid, {x, y, 1}, 0, stream>>>(z)   braced lists, which initialise the parameters of a call
#pragma once

#include "frontend/source/source_tokens.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::frontend {

/// `source` with such brackets joined, every line and nearly every column where it was; nothing if
/// there are none.
std::optional<std::string> joinLaunchBrackets(std::string_view source);

/// A type's name that is missing before the brace at `brace`, a token's index.
struct UnnamedBrace {
  size_t brace;
  const char *type;
};

/// The braced lists among the arguments of the launch whose `<<<` is at `open`.
std::vector<UnnamedBrace> unnamedBraces(const std::vector<SourceToken> &tokens, size_t open);

} // namespace heddle::frontend

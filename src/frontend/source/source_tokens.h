// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tokens of a source file before preprocessing, for what is mended in its text.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::frontend {

struct SourceToken {
  size_t start, length;
  bool is_string; // a string literal
  std::string_view text;
};

/// All but comments and blanks. The views are of `source`, which must outlive them.
std::vector<SourceToken> tokensOf(const std::string &source);

} // namespace heddle::frontend

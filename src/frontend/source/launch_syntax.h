// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernel launches written with spaces inside the brackets: `k << < grid, block >> > (x)`.
//
// Formatters that do not know CUDA break `<<<` and `>>>` apart; nvcc takes the pieces, Clang does
// not.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace heddle::frontend {

/// `source` with such brackets joined, every line and nearly every column where it was; nothing if
/// there are none.
std::optional<std::string> joinLaunchBrackets(std::string_view source);

} // namespace heddle::frontend

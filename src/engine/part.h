// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What of a device image one compiled file holds: the kernel of this name, or one of the following.
#pragma once

#include <string_view>

namespace heddle::engine {

inline constexpr std::string_view whole_image = "@all";
/// No kernel; what writes the initial values of the image's variables, and the functions that they
/// point to.
inline constexpr std::string_view initial_values = "@initial-values";

} // namespace heddle::engine

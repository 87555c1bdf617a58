// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What Heddle's sources use of C++20 and GCC 10's standard library lacks; included before all else where
// packages are built against that (sysroot.cmake).
#pragma once

#ifdef __cplusplus
#include <bit>

#ifndef __cpp_lib_bit_cast // P0476, in GCC 11
namespace std {
template <typename To, typename From> constexpr To bit_cast(const From &from) noexcept {
  return __builtin_bit_cast(To, from);
}
} // namespace std
#endif
#endif

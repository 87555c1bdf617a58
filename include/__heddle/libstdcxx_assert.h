// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The assertions of GCC's C++ library in device code.
//
// From GCC 13 on, parts of the library that are constexpr, and so for the device, too, call a
// function of the host where a precondition does not hold (bits/c++config.h, __glibcxx_assert).
#pragma once

#if defined(__cplusplus) && defined(__CUDA__) && __has_include(<bits/c++config.h>)
#include <bits/c++config.h>

namespace std {
// In constant expressions, which it ends by not being constexpr.
__attribute__((device)) inline void __glibcxx_assert_fail() {}
// With _GLIBCXX_ASSERTIONS.
__attribute__((device, noreturn)) inline void __glibcxx_assert_fail(const char *, int, const char *,
                                                                    const char *) noexcept {
  __builtin_trap();
}
} // namespace std
#endif

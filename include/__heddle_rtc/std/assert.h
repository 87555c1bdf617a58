// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// In place of the host's header, while the prelude of NVRTC is precompiled: assert.
#pragma once
#ifdef NDEBUG
#define assert(condition) ((void)0)
#else
#define assert(condition)                                                                          \
  ((condition) ? (void)0 : __assert_fail(#condition, __FILE__, __LINE__, __PRETTY_FUNCTION__))
#endif

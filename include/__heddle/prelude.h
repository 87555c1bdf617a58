// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Force-included at the top of every .cu file, as nvcc implicitly includes cuda_runtime.h.
//
// The order matters. Clang's device overloads of the math functions must be declared before <cmath>
// is seen, so that std:: functions called from device code resolve to them; and the compiler macros
// must be defined before any system header, since some ask for __CUDACC__.
#pragma once

#include <__heddle/compiler.h>
#include <__heddle/libstdcxx_assert.h>

#include <__clang_cuda_math_forward_declares.h>

#include <cmath>
#include <cstdlib>
#include <ctime>

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include <cuda_runtime.h>

// Clang 19 takes the type of variable arguments for two where a header was precompiled that names
// it, but uses no builtin with it: a source that then includes <string> has errors.
namespace __heddle {
inline void __useVariableArguments(int __first, ...) {
  __builtin_va_list __list, __copy;
  __builtin_va_start(__list, __first);
  __builtin_va_copy(__copy, __list);
  __builtin_va_end(__copy);
  __builtin_va_end(__list);
}
} // namespace __heddle

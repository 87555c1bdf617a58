// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How the compiler's own headers declare functions (CUDA's crt/func_macro.h).
#ifndef __FUNC_MACRO_H__
#define __FUNC_MACRO_H__
#include "host_defines.h"
#define __device_func__(decl) __device__ __cudart_builtin__ decl
#endif

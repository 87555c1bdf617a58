// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Clang's definitions of the C math functions for the device, with nvcc's meaning of fast math.
//
// Under -use_fast_math nvcc replaces eleven functions by their fast intrinsics (CUDA C++
// Programming Guide, "Functions Affected by -use_fast_math"). Clang's header does so for five of
// them; the other six are redirected while it is read.
#pragma once

#if defined(__CLANG_GPU_APPROX_TRANSCENDENTALS__)
#pragma push_macro("__nv_expf")
#define __nv_expf __nv_fast_expf
#pragma push_macro("__nv_exp10f")
#define __nv_exp10f __nv_fast_exp10f
#pragma push_macro("__nv_log10f")
#define __nv_log10f __nv_fast_log10f
#pragma push_macro("__nv_powf")
#define __nv_powf __nv_fast_powf
#pragma push_macro("__nv_tanf")
#define __nv_tanf __nv_fast_tanf
#pragma push_macro("__FAST_MATH__")
#undef __FAST_MATH__
#define __FAST_MATH__ 1 // fdividef
#pragma push_macro("__CUDA_PREC_DIV")
#undef __CUDA_PREC_DIV
#define __CUDA_PREC_DIV 0
#endif

#include <__clang_cuda_math.h>

#if defined(__CLANG_GPU_APPROX_TRANSCENDENTALS__)
#pragma pop_macro("__CUDA_PREC_DIV")
#pragma pop_macro("__FAST_MATH__")
#pragma pop_macro("__nv_tanf")
#pragma pop_macro("__nv_powf")
#pragma pop_macro("__nv_log10f")
#pragma pop_macro("__nv_exp10f")
#pragma pop_macro("__nv_expf")
#endif

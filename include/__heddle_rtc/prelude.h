// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What NVRTC declares before the first line of a source (NVRTC guide, "Predefined Macros",
// "Predefined Types", "Builtin Functions"): the device side of CUDA, and nothing of the host's
// headers. It is precompiled, with the folder std/ in place of the C and C++ libraries' headers;
// sources do not see that folder.

#define __CUDACC__ 1
#include <__heddle_host/release.h>
#define __CUDACC_RELAXED_CONSTEXPR__ 1
#define __CUDACC_EXTENDED_LAMBDA__ 1
#define __NVCC_DIAG_PRAGMA_SUPPORT__ 1
#include <__heddle/lambda_traits.h>
#pragma clang diagnostic warning "-Wc++11-narrowing"
#pragma clang diagnostic ignored "-Wregister"

typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;
typedef decltype(nullptr) nullptr_t;
typedef long clock_t;
#define NULL 0

// Sources define what they need of std themselves: Clang's CUDA headers, which define their
// overloads and traits there, get a namespace of their own.
#define std __heddle_std
#define HUGE_VAL __builtin_huge_val()
#define HUGE_VALF __builtin_huge_valf()
#define INT_MAX __INT_MAX__
#define INT_MIN (-__INT_MAX__ - 1)
#define FP_NAN 0
#define FP_INFINITE 1
#define FP_ZERO 2
#define FP_SUBNORMAL 3
#define FP_NORMAL 4
#include <__clang_cuda_math_forward_declares.h>

#include <cuda_runtime.h>
#undef std
#undef HUGE_VAL
#undef HUGE_VALF
#undef INT_MAX
#undef INT_MIN
#undef FP_NAN
#undef FP_INFINITE
#undef FP_ZERO
#undef FP_SUBNORMAL
#undef FP_NORMAL

#include <__heddle_rtc/library.h>

// NVRTC is neither Clang nor g++: sources ask for them to choose built-in functions and pragmas.
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wbuiltin-macro-redefined"
#undef __clang__
#undef __GNUC__
#undef __GNUC_MINOR__
#undef __GNUC_PATCHLEVEL__
#undef __GNUG__
#pragma clang diagnostic pop

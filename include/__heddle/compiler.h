// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The macros by which a program recognises a compiler of CUDA.
// (CUDA Compiler Driver NVCC, "NVCC Identification Macro" and "Supported Phases".)
#pragma once

#ifndef __NVCC__
#define __NVCC__ 1
#endif
#ifndef __CUDACC__
#define __CUDACC__ 1
#endif
#include "../__heddle_host/release.h"

// Clang always behaves as nvcc does under --extended-lambda and --expt-relaxed-constexpr.
#ifndef __CUDACC_RELAXED_CONSTEXPR__
#define __CUDACC_RELAXED_CONSTEXPR__ 1
#endif
#ifndef __CUDACC_EXTENDED_LAMBDA__
#define __CUDACC_EXTENDED_LAMBDA__ 1
#endif

// Programs ask this before they write `#pragma nv_diag_suppress`; Clang ignores that pragma.
#ifndef __NVCC_DIAG_PRAGMA_SUPPORT__
#define __NVCC_DIAG_PRAGMA_SUPPORT__ 1
#endif

#include "lambda_traits.h"

// By __NVCC__ CCCL (Thrust, CUB, libcu++) knows nvcc. That it is Clang all the same decides which
// built-in functions and pragmas it may use.
#ifndef _CCCL_CUDA_COMPILER_CLANG
#define _CCCL_CUDA_COMPILER_CLANG (__clang_major__ * 100 + __clang_minor__)
#endif

// What Clang rejects and nvcc accepts: `int a[] = {threadIdx.x};` with a warning, and `register`,
// which old kernels are full of.
#pragma clang diagnostic warning "-Wc++11-narrowing"
#pragma clang diagnostic ignored "-Wregister"

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

// nvcc wraps lambdas that are marked __device__ and has traits to ask whether a type is such a
// wrapper (CUDA C++ Programming Guide, "Extended Lambda Type Traits"). Clang wraps none: a lambda's
// closure is the same type in host and device code, so what the traits guard against cannot happen.
#define __nv_is_extended_device_lambda_closure_type(...) false
#define __nv_is_extended_host_device_lambda_closure_type(...) false
#define __nv_is_extended_device_lambda_with_preserved_return_type(...) false

// By __NVCC__ CCCL (Thrust, CUB, libcu++) knows nvcc. That it is Clang all the same decides which
// built-in functions and pragmas it may use.
#ifndef _CCCL_CUDA_COMPILER_CLANG
#define _CCCL_CUDA_COMPILER_CLANG (__clang_major__ * 100 + __clang_minor__)
#endif

// What Clang rejects and nvcc accepts: `int a[] = {threadIdx.x};` with a warning, and `register`,
// which old kernels are full of.
#pragma clang diagnostic warning "-Wc++11-narrowing"
#pragma clang diagnostic ignored "-Wregister"

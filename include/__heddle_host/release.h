// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The release of CUDA whose types and names the headers have: 12 or 13. heddlecc says which by
// __HEDDLE_CUDA__, a toolkit folder to other compilers by a header; what has neither is part of
// Heddle itself, whose own names are CUDA 12's.
#ifndef HEDDLE_HOST_RELEASE_H
#define HEDDLE_HOST_RELEASE_H

#ifndef __HEDDLE_CUDA__
#if defined(__has_include)
#if __has_include(<__heddle_release/default.h>)
#include <__heddle_release/default.h>
#endif
#endif
#endif
#ifndef __HEDDLE_CUDA__
#define __HEDDLE_CUDA__ 12
#endif

#if __HEDDLE_CUDA__ >= 13
#define HEDDLE_CUDA_VERSION 13000
// What CUDA 13 has removed, and what it calls otherwise, still works, with a warning.
#define HEDDLE_REMOVED_IN_13                                                                       \
  __attribute__((deprecated("CUDA 13 has removed it; --cuda=12 compiles for CUDA 12")))
#define HEDDLE_CUDA12_FORM                                                                         \
  __attribute__((                                                                                  \
      deprecated("CUDA 13 has it with other parameters; --cuda=12 compiles for CUDA 12")))
#else
#define HEDDLE_CUDA_VERSION 12090
#define HEDDLE_REMOVED_IN_13
#endif

#endif

// What NVIDIA's compilers say of themselves.
#if defined(__CUDACC__) && !defined(__CUDACC_VER_MAJOR__)
#if __HEDDLE_CUDA__ >= 13
#define __CUDACC_VER_MAJOR__ 13
#define __CUDACC_VER_MINOR__ 0
#define __CUDACC_VER_BUILD__ 88
#else
#define __CUDACC_VER_MAJOR__ 12
#define __CUDACC_VER_MINOR__ 9
#define __CUDACC_VER_BUILD__ 86
#endif
#define __CUDA_API_VER_MAJOR__ __CUDACC_VER_MAJOR__
#define __CUDA_API_VER_MINOR__ __CUDACC_VER_MINOR__
#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The release of CUDA whose types and names the headers have: 12 or 13.
#ifndef HEDDLE_HOST_RELEASE_H
#define HEDDLE_HOST_RELEASE_H

#ifndef __HEDDLE_CUDA__
#define __HEDDLE_CUDA__ 12
#endif

#if __HEDDLE_CUDA__ >= 13
#define HEDDLE_CUDA_VERSION 13000
#else
#define HEDDLE_CUDA_VERSION 12040
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
#define __CUDACC_VER_MINOR__ 4
#define __CUDACC_VER_BUILD__ 131
#endif
#define __CUDA_API_VER_MAJOR__ __CUDACC_VER_MAJOR__
#define __CUDA_API_VER_MINOR__ __CUDACC_VER_MINOR__
#endif

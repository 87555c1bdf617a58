// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nvtx3/nvToolsExtCudaRt.h: names for the CUDA runtime's objects, which a profiler shows.
#ifndef NVTOOLSEXT_CUDART_H_
#define NVTOOLSEXT_CUDART_H_

#include <cuda_runtime_api.h>

#include "nvToolsExt.h"

#define __HEDDLE_NVTX_CUDART_NAMES(SUFFIX, LETTER)                                                 \
  static inline void nvtxNameCudaDevice##SUFFIX(int device, const LETTER *name) {                  \
    __heddleNvtxTell##SUFFIX(__HEDDLE_NVTX_DEVICE, NULL, (uint64_t)(int64_t)device, name);         \
  }                                                                                                \
  static inline void nvtxNameCudaStream##SUFFIX(cudaStream_t stream, const LETTER *name) {         \
    __heddleNvtxTell##SUFFIX(__HEDDLE_NVTX_STREAM, NULL, (uint64_t)(uintptr_t)stream, name);       \
  }                                                                                                \
  static inline void nvtxNameCudaEvent##SUFFIX(cudaEvent_t event, const LETTER *name) {            \
    __heddleNvtxTell##SUFFIX(__HEDDLE_NVTX_OBJECT, NULL, (uint64_t)(uintptr_t)event, name);        \
  }
__HEDDLE_NVTX_CUDART_NAMES(A, char)
__HEDDLE_NVTX_CUDART_NAMES(W, wchar_t)

#ifdef UNICODE
#define nvtxNameCudaDevice nvtxNameCudaDeviceW
#define nvtxNameCudaStream nvtxNameCudaStreamW
#define nvtxNameCudaEvent nvtxNameCudaEventW
#else
#define nvtxNameCudaDevice nvtxNameCudaDeviceA
#define nvtxNameCudaStream nvtxNameCudaStreamA
#define nvtxNameCudaEvent nvtxNameCudaEventA
#endif

#endif

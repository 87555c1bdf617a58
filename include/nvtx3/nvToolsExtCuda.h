// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nvtx3/nvToolsExtCuda.h: names for the driver API's objects, which a profiler shows.
#ifndef NVTOOLSEXT_CUDA_H_
#define NVTOOLSEXT_CUDA_H_

#include <cuda.h>

#include "nvToolsExt.h"

#define __HEDDLE_NVTX_CUDA_NAMES(SUFFIX, LETTER)                                                   \
  static inline void nvtxNameCuDevice##SUFFIX(CUdevice device, const LETTER *name) {               \
    __heddleNvtxTell##SUFFIX(__HEDDLE_NVTX_DEVICE, NULL, (uint64_t)(int64_t)device, name);         \
  }                                                                                                \
  static inline void nvtxNameCuContext##SUFFIX(CUcontext context, const LETTER *name) {            \
    __heddleNvtxTell##SUFFIX(__HEDDLE_NVTX_OBJECT, NULL, (uint64_t)(uintptr_t)context, name);      \
  }                                                                                                \
  static inline void nvtxNameCuStream##SUFFIX(CUstream stream, const LETTER *name) {               \
    __heddleNvtxTell##SUFFIX(__HEDDLE_NVTX_STREAM, NULL, (uint64_t)(uintptr_t)stream, name);       \
  }                                                                                                \
  static inline void nvtxNameCuEvent##SUFFIX(CUevent event, const LETTER *name) {                  \
    __heddleNvtxTell##SUFFIX(__HEDDLE_NVTX_OBJECT, NULL, (uint64_t)(uintptr_t)event, name);        \
  }
__HEDDLE_NVTX_CUDA_NAMES(A, char)
__HEDDLE_NVTX_CUDA_NAMES(W, wchar_t)

#ifdef UNICODE
#define nvtxNameCuDevice nvtxNameCuDeviceW
#define nvtxNameCuContext nvtxNameCuContextW
#define nvtxNameCuStream nvtxNameCuStreamW
#define nvtxNameCuEvent nvtxNameCuEventW
#else
#define nvtxNameCuDevice nvtxNameCuDeviceA
#define nvtxNameCuContext nvtxNameCuContextA
#define nvtxNameCuStream nvtxNameCuStreamA
#define nvtxNameCuEvent nvtxNameCuEventA
#endif

#endif

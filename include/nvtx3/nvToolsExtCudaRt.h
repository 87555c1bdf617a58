// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nvtx3/nvToolsExtCudaRt.h: names for CUDA's objects, which only a profiler
// would show.
#ifndef NVTOOLSEXT_CUDART_H_
#define NVTOOLSEXT_CUDART_H_

#include <cuda_runtime_api.h>

#include "nvToolsExt.h"

__HEDDLE_NVTX_IGNORED2(nvtxNameCudaDeviceA, int, const char *)
__HEDDLE_NVTX_IGNORED2(nvtxNameCudaDeviceW, int, const wchar_t *)
__HEDDLE_NVTX_IGNORED2(nvtxNameCudaStreamA, cudaStream_t, const char *)
__HEDDLE_NVTX_IGNORED2(nvtxNameCudaStreamW, cudaStream_t, const wchar_t *)
__HEDDLE_NVTX_IGNORED2(nvtxNameCudaEventA, cudaEvent_t, const char *)
__HEDDLE_NVTX_IGNORED2(nvtxNameCudaEventW, cudaEvent_t, const wchar_t *)

#define nvtxNameCudaDevice nvtxNameCudaDeviceA
#define nvtxNameCudaStream nvtxNameCudaStreamA
#define nvtxNameCudaEvent nvtxNameCudaEventA

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// libnvToolsExt.so: the functions of nvtx3/nvToolsExt.h, which there are inline, for programs that
// only know their names: Fortran and Python bindings, objects compiled with NVTX 2.
#include <stddef.h>
#include <stdint.h>
#include <wchar.h>

#include <cuda_runtime_api.h>

namespace header {
#include "nvtx3/nvToolsExt.h"
#include "nvtx3/nvToolsExtCudaRt.h"
} // namespace header

using namespace header;

#define HEDDLE_NVTX1(result, name, A)                                                              \
  result name(A a) { return header::name(a); }
#define HEDDLE_NVTX2(result, name, A, B)                                                           \
  result name(A a, B b) { return header::name(a, b); }

#pragma GCC visibility push(default)
extern "C" {
HEDDLE_NVTX1(int, nvtxRangePushA, const char *)
HEDDLE_NVTX1(int, nvtxRangePushW, const wchar_t *)
HEDDLE_NVTX1(int, nvtxRangePushEx, const nvtxEventAttributes_t *)
int nvtxRangePop(void) { return header::nvtxRangePop(); }
HEDDLE_NVTX1(nvtxRangeId_t, nvtxRangeStartA, const char *)
HEDDLE_NVTX1(nvtxRangeId_t, nvtxRangeStartW, const wchar_t *)
HEDDLE_NVTX1(nvtxRangeId_t, nvtxRangeStartEx, const nvtxEventAttributes_t *)
HEDDLE_NVTX1(void, nvtxRangeEnd, nvtxRangeId_t)
HEDDLE_NVTX1(void, nvtxMarkA, const char *)
HEDDLE_NVTX1(void, nvtxMarkW, const wchar_t *)
HEDDLE_NVTX1(void, nvtxMarkEx, const nvtxEventAttributes_t *)
HEDDLE_NVTX1(void, nvtxInitialize, const void *)
HEDDLE_NVTX2(void, nvtxNameCategoryA, uint32_t, const char *)
HEDDLE_NVTX2(void, nvtxNameCategoryW, uint32_t, const wchar_t *)
HEDDLE_NVTX2(void, nvtxNameOsThreadA, uint32_t, const char *)
HEDDLE_NVTX2(void, nvtxNameOsThreadW, uint32_t, const wchar_t *)

HEDDLE_NVTX1(nvtxDomainHandle_t, nvtxDomainCreateA, const char *)
HEDDLE_NVTX1(nvtxDomainHandle_t, nvtxDomainCreateW, const wchar_t *)
HEDDLE_NVTX1(void, nvtxDomainDestroy, nvtxDomainHandle_t)
HEDDLE_NVTX2(void, nvtxDomainMarkEx, nvtxDomainHandle_t, const nvtxEventAttributes_t *)
HEDDLE_NVTX2(int, nvtxDomainRangePushEx, nvtxDomainHandle_t, const nvtxEventAttributes_t *)
HEDDLE_NVTX1(int, nvtxDomainRangePop, nvtxDomainHandle_t)
HEDDLE_NVTX2(nvtxRangeId_t, nvtxDomainRangeStartEx, nvtxDomainHandle_t,
             const nvtxEventAttributes_t *)
HEDDLE_NVTX2(void, nvtxDomainRangeEnd, nvtxDomainHandle_t, nvtxRangeId_t)
HEDDLE_NVTX2(nvtxStringHandle_t, nvtxDomainRegisterStringA, nvtxDomainHandle_t, const char *)

HEDDLE_NVTX2(void, nvtxNameCudaDeviceA, int, const char *)
HEDDLE_NVTX2(void, nvtxNameCudaDeviceW, int, const wchar_t *)
HEDDLE_NVTX2(void, nvtxNameCudaStreamA, cudaStream_t, const char *)
HEDDLE_NVTX2(void, nvtxNameCudaStreamW, cudaStream_t, const wchar_t *)
HEDDLE_NVTX2(void, nvtxNameCudaEventA, cudaEvent_t, const char *)
HEDDLE_NVTX2(void, nvtxNameCudaEventW, cudaEvent_t, const wchar_t *)
} // extern "C"
#pragma GCC visibility pop

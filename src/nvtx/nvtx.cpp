// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// libnvToolsExt.so: the functions of nvtx3/nvToolsExt.h, which there are inline, for programs that
// only know their names: Fortran and Python bindings, objects compiled with NVTX 2.
#include <stddef.h>
#include <stdint.h>
#include <wchar.h>

#include <cuda.h>
#include <cuda_runtime_api.h>

namespace header {
#include "nvtx3/nvToolsExt.h"
#include "nvtx3/nvToolsExtCuda.h"
#include "nvtx3/nvToolsExtCudaRt.h"
} // namespace header

using namespace header;

#define HEDDLE_NVTX1(result, name, A)                                                              \
  result name(A a) { return header::name(a); }
#define HEDDLE_NVTX2(result, name, A, B)                                                           \
  result name(A a, B b) { return header::name(a, b); }
#define HEDDLE_NVTX3(result, name, A, B, C)                                                        \
  result name(A a, B b, C c) { return header::name(a, b, c); }
// With texts in both kinds of letters.
#define HEDDLE_NVTX_TEXT1(result, name)                                                            \
  HEDDLE_NVTX1(result, name##A, const char *)                                                      \
  HEDDLE_NVTX1(result, name##W, const wchar_t *)
#define HEDDLE_NVTX_TEXT2(result, name, P)                                                         \
  HEDDLE_NVTX2(result, name##A, P, const char *)                                                   \
  HEDDLE_NVTX2(result, name##W, P, const wchar_t *)

#pragma GCC visibility push(default)
extern "C" {
HEDDLE_NVTX_TEXT1(int, nvtxRangePush)
HEDDLE_NVTX_TEXT1(nvtxRangeId_t, nvtxRangeStart)
HEDDLE_NVTX_TEXT1(void, nvtxMark)
HEDDLE_NVTX1(int, nvtxRangePushEx, const nvtxEventAttributes_t *)
int nvtxRangePop(void) { return header::nvtxRangePop(); }
HEDDLE_NVTX1(nvtxRangeId_t, nvtxRangeStartEx, const nvtxEventAttributes_t *)
HEDDLE_NVTX1(void, nvtxRangeEnd, nvtxRangeId_t)
HEDDLE_NVTX1(void, nvtxMarkEx, const nvtxEventAttributes_t *)
HEDDLE_NVTX1(void, nvtxInitialize, const void *)
HEDDLE_NVTX_TEXT2(void, nvtxNameCategory, uint32_t)
HEDDLE_NVTX_TEXT2(void, nvtxNameOsThread, uint32_t)

HEDDLE_NVTX_TEXT1(nvtxDomainHandle_t, nvtxDomainCreate)
HEDDLE_NVTX1(void, nvtxDomainDestroy, nvtxDomainHandle_t)
HEDDLE_NVTX2(void, nvtxDomainMarkEx, nvtxDomainHandle_t, const nvtxEventAttributes_t *)
HEDDLE_NVTX2(int, nvtxDomainRangePushEx, nvtxDomainHandle_t, const nvtxEventAttributes_t *)
HEDDLE_NVTX1(int, nvtxDomainRangePop, nvtxDomainHandle_t)
HEDDLE_NVTX2(nvtxRangeId_t, nvtxDomainRangeStartEx, nvtxDomainHandle_t,
             const nvtxEventAttributes_t *)
HEDDLE_NVTX2(void, nvtxDomainRangeEnd, nvtxDomainHandle_t, nvtxRangeId_t)
HEDDLE_NVTX_TEXT2(nvtxStringHandle_t, nvtxDomainRegisterString, nvtxDomainHandle_t)
HEDDLE_NVTX3(void, nvtxDomainNameCategoryA, nvtxDomainHandle_t, uint32_t, const char *)
HEDDLE_NVTX3(void, nvtxDomainNameCategoryW, nvtxDomainHandle_t, uint32_t, const wchar_t *)
HEDDLE_NVTX2(nvtxResourceHandle_t, nvtxDomainResourceCreate, nvtxDomainHandle_t,
             nvtxResourceAttributes_t *)
HEDDLE_NVTX1(void, nvtxDomainResourceDestroy, nvtxResourceHandle_t)

HEDDLE_NVTX_TEXT2(void, nvtxNameCudaDevice, int)
HEDDLE_NVTX_TEXT2(void, nvtxNameCudaStream, cudaStream_t)
HEDDLE_NVTX_TEXT2(void, nvtxNameCudaEvent, cudaEvent_t)
HEDDLE_NVTX_TEXT2(void, nvtxNameCuDevice, CUdevice)
HEDDLE_NVTX_TEXT2(void, nvtxNameCuContext, CUcontext)
HEDDLE_NVTX_TEXT2(void, nvtxNameCuStream, CUstream)
HEDDLE_NVTX_TEXT2(void, nvtxNameCuEvent, CUevent)
} // extern "C"
#pragma GCC visibility pop

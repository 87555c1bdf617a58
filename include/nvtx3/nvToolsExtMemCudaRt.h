// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nvtx3/nvToolsExtMemCudaRt.h: NVTX's memory extension for CUDA (NVTX C API, "Memory"). The
// permissions of a device are those of the process; CUDA arrays are no heaps here.
#ifndef NVTOOLSEXTV3_MEM_CUDART_V1
#define NVTOOLSEXTV3_MEM_CUDART_V1

#include "nvToolsExtMem.h"

#include <cuda.h>
#include <cuda_runtime_api.h>

#define NVTX_MEM_TYPE_CUDA_ARRAY 0x11
#define NVTX_MEM_TYPE_CU_ARRAY 0x12
#define NVTX_MEM_CUDA_PEER_ALL_DEVICES -1

typedef struct nvtxMemCudaArrayRangeDesc_v1 {
  uint16_t extCompatID;
  uint16_t structSize;
  uint32_t reserved0;
  cudaArray_t src;
  size_t offset[3];
  size_t extent[3];
} nvtxMemCudaArrayRangeDesc_v1;
typedef nvtxMemCudaArrayRangeDesc_v1 nvtxMemCudaArrayRangeDesc_t;

typedef struct nvtxMemCuArrayRangeDesc_v1 {
  uint16_t extCompatID;
  uint16_t structSize;
  uint32_t reserved0;
  CUarray src;
  size_t offset[3];
  size_t extent[3];
} nvtxMemCuArrayRangeDesc_v1;
typedef nvtxMemCuArrayRangeDesc_v1 nvtxMemCuArrayRangeDesc_t;

static inline nvtxMemPermissionsHandle_t
nvtxMemCudaGetProcessWidePermissions(nvtxDomainHandle_t domain) {
  (void)domain;
  return NVTX_MEM_PERMISSIONS_HANDLE_PROCESS_WIDE;
}

static inline nvtxMemPermissionsHandle_t
nvtxMemCudaGetDeviceWidePermissions(nvtxDomainHandle_t domain, int device) {
  (void)domain;
  (void)device;
  return NVTX_MEM_PERMISSIONS_HANDLE_PROCESS_WIDE;
}

static inline void nvtxMemCudaSetPeerAccess(nvtxDomainHandle_t domain,
                                            nvtxMemPermissionsHandle_t permissions, int devicePeer,
                                            uint32_t flags) {
  (void)domain;
  (void)permissions;
  (void)devicePeer;
  (void)flags;
}

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nppcore.h: the library's version, properties of the device, and the stream of the calls that are
// given none.
#ifndef NV_NPPCORE_H
#define NV_NPPCORE_H

#include "nppdefs.h"
#include <cuda_runtime_api.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
  cudaStream_t hStream;
  int nCudaDeviceId;
  int nMultiProcessorCount;
  int nMaxThreadsPerMultiProcessor;
  int nMaxThreadsPerBlock;
  size_t nSharedMemPerBlock;
  int nCudaDevAttrComputeCapabilityMajor;
  int nCudaDevAttrComputeCapabilityMinor;
  unsigned int nStreamFlags;
  int nReserved0;
} NppStreamContext;

const NppLibraryVersion *nppGetLibVersion(void);
NppGpuComputeCapability nppGetGpuComputeCapability(void);
int nppGetGpuNumSMs(void);
int nppGetMaxThreadsPerBlock(void);
int nppGetMaxThreadsPerSM(void);
int nppGetGpuDeviceProperties(int *pMaxThreadsPerSM, int *pMaxThreadsPerBlock, int *pNumberOfSMs);
const char *nppGetGpuName(void);
cudaStream_t nppGetStream(void);
NppStatus nppGetStreamContext(NppStreamContext *pNppStreamContext);
unsigned int nppGetStreamNumSMs(void);
unsigned int nppGetStreamMaxThreadsPerSM(void);
NppStatus nppSetStream(cudaStream_t hStream);

#ifdef __cplusplus
}
#endif

#endif

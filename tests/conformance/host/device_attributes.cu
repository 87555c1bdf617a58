// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each device attribute that programs ask for agrees with the same figure in cudaDeviceProp.
#include "check.h"

static int attribute(cudaDeviceAttr which) {
  int value = -1;
  CHECK_CUDA(cudaDeviceGetAttribute(&value, which, 0));
  return value;
}

int main() {
  cudaDeviceProp p;
  CHECK_CUDA(cudaGetDeviceProperties(&p, 0));
  CHECK_EQ(attribute(cudaDevAttrMaxBlockDimX), p.maxThreadsDim[0]);
  CHECK_EQ(attribute(cudaDevAttrMaxBlockDimY), p.maxThreadsDim[1]);
  CHECK_EQ(attribute(cudaDevAttrMaxBlockDimZ), p.maxThreadsDim[2]);
  CHECK_EQ(attribute(cudaDevAttrMaxGridDimX), p.maxGridSize[0]);
  CHECK_EQ(attribute(cudaDevAttrMaxGridDimY), p.maxGridSize[1]);
  CHECK_EQ(attribute(cudaDevAttrMaxGridDimZ), p.maxGridSize[2]);
  CHECK_EQ(attribute(cudaDevAttrMaxSharedMemoryPerBlock), p.sharedMemPerBlock);
  CHECK_EQ(attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin), p.sharedMemPerBlockOptin);
  CHECK_EQ(attribute(cudaDevAttrTotalConstantMemory), p.totalConstMem);
  CHECK_EQ(attribute(cudaDevAttrMaxPitch), p.memPitch);
  CHECK_EQ(attribute(cudaDevAttrMaxRegistersPerBlock), p.regsPerBlock);
  CHECK_EQ(attribute(cudaDevAttrMaxRegistersPerMultiprocessor), p.regsPerMultiprocessor);
  CHECK_EQ(attribute(cudaDevAttrMaxBlocksPerMultiprocessor), p.maxBlocksPerMultiProcessor);
  CHECK_EQ(attribute(cudaDevAttrIntegrated), p.integrated);
  CHECK_EQ(attribute(cudaDevAttrCanMapHostMemory), p.canMapHostMemory);
  CHECK_EQ(attribute(cudaDevAttrConcurrentKernels), p.concurrentKernels);
  CHECK_EQ(attribute(cudaDevAttrEccEnabled), p.ECCEnabled);
  CHECK_EQ(attribute(cudaDevAttrGlobalMemoryBusWidth), p.memoryBusWidth);
  CHECK_EQ(attribute(cudaDevAttrL2CacheSize), p.l2CacheSize);
  CHECK_EQ(attribute(cudaDevAttrAsyncEngineCount), p.asyncEngineCount);
  CHECK_EQ(attribute(cudaDevAttrUnifiedAddressing), p.unifiedAddressing);
  CHECK_EQ(attribute(cudaDevAttrManagedMemory), p.managedMemory);
  CHECK_EQ(attribute(cudaDevAttrConcurrentManagedAccess), p.concurrentManagedAccess);
  CHECK_EQ(attribute(cudaDevAttrPageableMemoryAccess), p.pageableMemoryAccess);
  CHECK_EQ(attribute(cudaDevAttrCooperativeLaunch), p.cooperativeLaunch);
  CHECK_EQ(attribute(cudaDevAttrStreamPrioritiesSupported), p.streamPrioritiesSupported);
  CHECK_EQ(attribute(cudaDevAttrPciBusId), p.pciBusID);
  CHECK_EQ(attribute(cudaDevAttrPciDeviceId), p.pciDeviceID);
  CHECK(attribute(cudaDevAttrClockRate) > 0); // no longer in cudaDeviceProp with CUDA 13
  CHECK(attribute(cudaDevAttrMemoryClockRate) > 0);
  CHECK(attribute(cudaDevAttrMaxTexture2DWidth) >= 65536);
#if CUDART_VERSION >= 13000
  CHECK_EQ(attribute(cudaDevAttrGpuPciSubsystemId), p.gpuPciSubsystemID);
  CHECK_EQ(attribute(cudaDevAttrHostNumaMultinodeIpcSupported), p.hostNumaMultinodeIpcSupported);
#endif
  // Whether or not there are such pools, the question is answered.
  CHECK(attribute(cudaDevAttrHostNumaMemoryPoolsSupported) >= 0);
  CHECK(attribute(cudaDevAttrHostMemoryPoolsSupported) >= 0);
  RETURN_RESULT();
}

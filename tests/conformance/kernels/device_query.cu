// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device properties that programs print: limits every CUDA GPU since compute capability 7.5 has,
// and the same values by attribute.
#include "check.h"

static int attribute(cudaDeviceAttr which) {
  int value = -1;
  CHECK_CUDA(cudaDeviceGetAttribute(&value, which, 0));
  return value;
}

int main() {
  int devices = 0;
  CHECK_CUDA(cudaGetDeviceCount(&devices));
  CHECK(devices >= 1);
  cudaDeviceProp properties;
  CHECK_CUDA(cudaGetDeviceProperties(&properties, 0));
  CHECK(strlen(properties.name) > 0);
  CHECK(properties.major * 10 + properties.minor >= 75);
  CHECK_EQ(properties.warpSize, 32);
  CHECK_EQ(properties.totalConstMem, 65536);
  CHECK_EQ(properties.sharedMemPerBlock, 49152);
  CHECK_EQ(properties.maxThreadsPerBlock, 1024);
  CHECK_EQ(properties.maxThreadsDim[0], 1024);
  CHECK_EQ(properties.maxThreadsDim[1], 1024);
  CHECK_EQ(properties.maxThreadsDim[2], 64);
  CHECK_EQ(properties.maxGridSize[0], 2147483647);
  CHECK_EQ(properties.maxGridSize[1], 65535);
  CHECK_EQ(properties.maxGridSize[2], 65535);
  CHECK_EQ(properties.regsPerBlock, 65536);
  CHECK(properties.multiProcessorCount >= 1);
  CHECK(properties.totalGlobalMem > (1u << 30));
  CHECK_EQ(attribute(cudaDevAttrWarpSize), properties.warpSize);
  CHECK_EQ(attribute(cudaDevAttrMaxThreadsPerBlock), properties.maxThreadsPerBlock);
  CHECK_EQ(attribute(cudaDevAttrMultiProcessorCount), properties.multiProcessorCount);
  CHECK_EQ(attribute(cudaDevAttrComputeCapabilityMajor), properties.major);
  CHECK_EQ(attribute(cudaDevAttrComputeCapabilityMinor), properties.minor);
  CHECK_EQ(attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor),
           properties.sharedMemPerMultiprocessor);
  CHECK_EQ(attribute(cudaDevAttrMaxThreadsPerMultiProcessor),
           properties.maxThreadsPerMultiProcessor);
  RETURN_RESULT();
}

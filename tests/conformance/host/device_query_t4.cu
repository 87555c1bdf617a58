// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The Tesla T4 that the device query of course notebooks prints: every published figure.
// env: HEDDLE_GPU=t4
// hardware: skip asks for a T4
#include "check.h"

int main() {
  cudaDeviceProp t4;
  CHECK_CUDA(cudaGetDeviceProperties(&t4, 0));
  CHECK_EQ(strcmp(t4.name, "Tesla T4"), 0);
  CHECK_EQ(t4.major, 7);
  CHECK_EQ(t4.minor, 5);
  CHECK_EQ(t4.warpSize, 32);
  CHECK_EQ(t4.totalGlobalMem, 15828320256);
  CHECK_EQ(t4.totalConstMem, 65536);
  CHECK_EQ(t4.sharedMemPerBlock, 49152);
  CHECK_EQ(t4.sharedMemPerMultiprocessor, 65536);
  CHECK_EQ(t4.regsPerBlock, 65536);
  CHECK_EQ(t4.regsPerMultiprocessor, 65536);
  CHECK_EQ(t4.maxGridSize[0], 2147483647);
  CHECK_EQ(t4.maxGridSize[1], 65535);
  CHECK_EQ(t4.maxGridSize[2], 65535);
  CHECK_EQ(t4.maxThreadsDim[0], 1024);
  CHECK_EQ(t4.maxThreadsDim[1], 1024);
  CHECK_EQ(t4.maxThreadsDim[2], 64);
  CHECK_EQ(t4.maxThreadsPerBlock, 1024);
  CHECK_EQ(t4.multiProcessorCount, 40);
  CHECK_EQ(t4.maxBlocksPerMultiProcessor, 16);
  CHECK_EQ(t4.maxThreadsPerMultiProcessor, 1024);
  CHECK_EQ(t4.memoryBusWidth, 256);
  CHECK_EQ(t4.l2CacheSize, 4194304);
#if CUDART_VERSION < 13000
  CHECK_EQ(t4.clockRate, 1590000);
  CHECK_EQ(t4.memoryClockRate, 5001000);
#endif
  CHECK_EQ(t4.integrated, 0);
  CHECK_EQ(t4.canMapHostMemory, 1);
  CHECK_EQ(t4.concurrentKernels, 1);
  CHECK_EQ(t4.unifiedAddressing, 1);
  CHECK_EQ(t4.managedMemory, 1);
  CHECK_EQ(t4.cooperativeLaunch, 1);
  CHECK_EQ(t4.sharedMemPerBlockOptin, 65536);
  RETURN_RESULT();
}

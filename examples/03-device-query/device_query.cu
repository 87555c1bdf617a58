// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is this device? A program asks, so that it can choose its blocks and its memory to fit.
//
// cudaGetDeviceProperties fills a structure with everything; cudaDeviceGetAttribute gives one
// number and is quicker. Under Heddle the answers are those of the GPU named by HEDDLE_GPU:
//
//   HEDDLE_GPU=h200 heddle run device_query.cu
#include "../check.h"

int attribute(cudaDeviceAttr which, int device) {
  int value = 0;
  CHECK(cudaDeviceGetAttribute(&value, which, device));
  return value;
}

int main() {
  int count = 0;
  CHECK(cudaGetDeviceCount(&count));
  if (count < 1)
    return 1;

  const int device = 0;
  cudaDeviceProp p;
  CHECK(cudaGetDeviceProperties(&p, device));
  std::printf("%s, compute capability %d.%d\n", p.name, p.major, p.minor);
  std::printf("multiprocessors (SMs)       %d\n", p.multiProcessorCount);
  std::printf("threads in a warp           %d\n", p.warpSize);
  std::printf("most threads in a block     %d\n", p.maxThreadsPerBlock);
  std::printf("largest block               %d x %d x %d\n", p.maxThreadsDim[0], p.maxThreadsDim[1],
              p.maxThreadsDim[2]);
  std::printf("largest grid                %d x %d x %d\n", p.maxGridSize[0], p.maxGridSize[1],
              p.maxGridSize[2]);
  std::printf("threads, blocks on an SM    %d, %d\n", p.maxThreadsPerMultiProcessor,
              p.maxBlocksPerMultiProcessor);
  std::printf("registers of a block, an SM %d, %d\n", p.regsPerBlock, p.regsPerMultiprocessor);
  std::printf("shared memory of a block    %zu bytes\n", p.sharedMemPerBlock);
  std::printf("shared memory of an SM      %zu bytes\n", p.sharedMemPerMultiprocessor);
  std::printf("constant memory             %zu bytes\n", p.totalConstMem);
  std::printf("global memory               %zu bytes\n", p.totalGlobalMem);
  std::printf("L2 cache                    %d bytes\n", p.l2CacheSize);

  // The two ways to ask must agree.
  bool same = p.multiProcessorCount == attribute(cudaDevAttrMultiProcessorCount, device) &&
              p.warpSize == attribute(cudaDevAttrWarpSize, device) &&
              p.maxThreadsPerBlock == attribute(cudaDevAttrMaxThreadsPerBlock, device) &&
              p.maxGridSize[0] == attribute(cudaDevAttrMaxGridDimX, device) &&
              p.major == attribute(cudaDevAttrComputeCapabilityMajor, device) &&
              p.l2CacheSize == attribute(cudaDevAttrL2CacheSize, device);
  // Peak bandwidth: memory sends two words a clock over each wire of the bus.
  double gigabytes = 2.0 * attribute(cudaDevAttrMemoryClockRate, device) * 1e3 *
                     attribute(cudaDevAttrGlobalMemoryBusWidth, device) / 8 / 1e9;
  std::printf("memory bandwidth            %.0f GB/s\n", gigabytes);
  std::printf("properties and attributes %s\n", same ? "agree" : "DIFFER");
  return same ? 0 : 1;
}

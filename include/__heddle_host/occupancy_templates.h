// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Occupancy for a kernel given by name, and the block size that fills a multiprocessor best.
#ifndef HEDDLE_HOST_OCCUPANCY_TEMPLATES_H
#define HEDDLE_HOST_OCCUPANCY_TEMPLATES_H

#include "../cuda_runtime_api.h"

template <class T>
static inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *numBlocks, T func,
                                                                        int blockSize,
                                                                        size_t dynamicSmemBytes) {
  return ::cudaOccupancyMaxActiveBlocksPerMultiprocessor(numBlocks, (const void *)func, blockSize,
                                                         dynamicSmemBytes);
}

template <class T>
static inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int *numBlocks, T func, int blockSize, size_t dynamicSmemBytes, unsigned int flags) {
  return ::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
      numBlocks, (const void *)func, blockSize, dynamicSmemBytes, flags);
}

template <class T>
static inline cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *dynamicSmemBytes,
                                                                    T *func, int numBlocks,
                                                                    int blockSize) {
  return ::cudaOccupancyAvailableDynamicSMemPerBlock(dynamicSmemBytes, (const void *)func,
                                                     numBlocks, blockSize);
}

template <class T>
static inline cudaError_t cudaOccupancyMaxPotentialClusterSize(int *clusterSize, T *func,
                                                               const cudaLaunchConfig_t *config) {
  return ::cudaOccupancyMaxPotentialClusterSize(clusterSize, (const void *)func, config);
}

template <class T>
static inline cudaError_t cudaOccupancyMaxActiveClusters(int *numClusters, T *func,
                                                         const cudaLaunchConfig_t *config) {
  return ::cudaOccupancyMaxActiveClusters(numClusters, (const void *)func, config);
}

namespace __heddle_host {

struct OccupancyLimits {
  int warp_size;
  int threads_per_block;
  int threads_per_multiprocessor;
  int multiprocessors;
};

inline cudaError_t getOccupancyLimits(const void *func, int blockSizeLimit,
                                      OccupancyLimits *limits) {
  int device;
  cudaFuncAttributes attributes;
  cudaError_t status = ::cudaGetDevice(&device);
  if (status == cudaSuccess)
    status = ::cudaFuncGetAttributes(&attributes, func);
  if (status == cudaSuccess)
    status = ::cudaDeviceGetAttribute(&limits->warp_size, cudaDevAttrWarpSize, device);
  if (status == cudaSuccess)
    status =
        ::cudaDeviceGetAttribute(&limits->threads_per_block, cudaDevAttrMaxThreadsPerBlock, device);
  if (status == cudaSuccess)
    status = ::cudaDeviceGetAttribute(&limits->threads_per_multiprocessor,
                                      cudaDevAttrMaxThreadsPerMultiProcessor, device);
  if (status == cudaSuccess)
    status =
        ::cudaDeviceGetAttribute(&limits->multiprocessors, cudaDevAttrMultiProcessorCount, device);
  if (status != cudaSuccess)
    return status;
  if (attributes.maxThreadsPerBlock < limits->threads_per_block)
    limits->threads_per_block = attributes.maxThreadsPerBlock;
  if (blockSizeLimit > 0 && blockSizeLimit < limits->threads_per_block)
    limits->threads_per_block = blockSizeLimit;
  return cudaSuccess;
}

struct FixedSharedMemory {
  size_t bytes;
  size_t operator()(int) const { return bytes; }
};

} // namespace __heddle_host

// Tries every block size that is a multiple of a warp, largest first, and takes the one with which
// the most threads are resident on a multiprocessor. `sharedMemory` gives the dynamic shared
// memory that a block of a given size uses.
template <class SharedMemory, class T>
static inline cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(
    int *minGridSize, int *blockSize, T func, SharedMemory sharedMemory, int blockSizeLimit = 0,
    unsigned int flags = 0) {
  if (!minGridSize || !blockSize || !func)
    return cudaErrorInvalidValue;
  __heddle_host::OccupancyLimits limits;
  cudaError_t status =
      __heddle_host::getOccupancyLimits((const void *)func, blockSizeLimit, &limits);
  if (status != cudaSuccess)
    return status;

  int bestThreads = 0, bestBlocks = 0, bestSize = 0;
  int warps = (limits.threads_per_block + limits.warp_size - 1) / limits.warp_size;
  for (; warps > 0 && bestThreads < limits.threads_per_multiprocessor; --warps) {
    int size = warps * limits.warp_size;
    if (size > limits.threads_per_block)
      size = limits.threads_per_block;
    int blocks = 0;
    status = ::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
        &blocks, (const void *)func, size, (size_t)sharedMemory(size), flags);
    if (status != cudaSuccess)
      return status;
    if (blocks * size > bestThreads) {
      bestThreads = blocks * size;
      bestBlocks = blocks;
      bestSize = size;
    }
  }
  *minGridSize = bestBlocks * limits.multiprocessors;
  *blockSize = bestSize;
  return cudaSuccess;
}

template <class SharedMemory, class T>
static inline cudaError_t
cudaOccupancyMaxPotentialBlockSizeVariableSMem(int *minGridSize, int *blockSize, T func,
                                               SharedMemory sharedMemory, int blockSizeLimit = 0) {
  return cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(
      minGridSize, blockSize, func, sharedMemory, blockSizeLimit, cudaOccupancyDefault);
}

template <class T>
static inline cudaError_t
cudaOccupancyMaxPotentialBlockSizeWithFlags(int *minGridSize, int *blockSize, T func,
                                            size_t dynamicSmemBytes = 0, int blockSizeLimit = 0,
                                            unsigned int flags = 0) {
  __heddle_host::FixedSharedMemory fixed = {dynamicSmemBytes};
  return cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(minGridSize, blockSize, func,
                                                                 fixed, blockSizeLimit, flags);
}

template <class T>
static inline cudaError_t cudaOccupancyMaxPotentialBlockSize(int *minGridSize, int *blockSize,
                                                             T func, size_t dynamicSmemBytes = 0,
                                                             int blockSizeLimit = 0) {
  return cudaOccupancyMaxPotentialBlockSizeWithFlags(minGridSize, blockSize, func, dynamicSmemBytes,
                                                     blockSizeLimit, cudaOccupancyDefault);
}

#endif

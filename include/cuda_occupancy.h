// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuda_occupancy.h: how many blocks a multiprocessor holds, computed from figures that the caller
// gives: without a device, for host code in C and C++. The rules are those of the CUDA C++
// Programming Guide ("Multiprocessor Level", "Compute Capabilities"), for compute capability 5.0 to
// 12.1; cudaOccupancyMaxActiveBlocksPerMultiprocessor follows the same.
#ifndef __cuda_occupancy_h__
#define __cuda_occupancy_h__

#include <limits.h>
#include <stddef.h>
#include <string.h>

#define CUDA_OCC_INLINE static inline

typedef enum cudaOccError_enum {
  CUDA_OCC_SUCCESS = 0,
  CUDA_OCC_ERROR_INVALID_INPUT = 1,
  CUDA_OCC_ERROR_UNKNOWN_DEVICE = 2
} cudaOccError;

typedef enum cudaOccCacheConfig_enum {
  CACHE_PREFER_NONE = 0x00,
  CACHE_PREFER_SHARED = 0x01,
  CACHE_PREFER_L1 = 0x02,
  CACHE_PREFER_EQUAL = 0x03
} cudaOccCacheConfig;

typedef enum cudaOccCarveoutConfig_enum {
  SHAREDMEM_CARVEOUT_DEFAULT = -1,
  SHAREDMEM_CARVEOUT_MAX_SHARED = 100,
  SHAREDMEM_CARVEOUT_MAX_L1 = 0,
  SHAREDMEM_CARVEOUT_HALF = 50
} cudaOccCarveoutConfig;

// How some GPUs of compute capability 5.x share their cache for global memory; without effect here.
typedef enum cudaOccPartitionedGCConfig_enum {
  PARTITIONED_GC_OFF,
  PARTITIONED_GC_ON,
  PARTITIONED_GC_ON_STRICT
} cudaOccPartitionedGCConfig;

// Whether a block may have more shared memory than sharedMemPerBlock.
typedef enum cudaOccFuncShmemConfig_enum {
  FUNC_SHMEM_LIMIT_DEFAULT,
  FUNC_SHMEM_LIMIT_OPTIN
} cudaOccFuncShmemConfig;

typedef enum cudaOccLimitingFactor_enum {
  OCC_LIMIT_WARPS = 0x01,
  OCC_LIMIT_REGISTERS = 0x02,
  OCC_LIMIT_SHARED_MEMORY = 0x04,
  OCC_LIMIT_BLOCKS = 0x08,
  OCC_LIMIT_BARRIERS = 0x10
} cudaOccLimitingFactor;

struct cudaOccDeviceProp {
  int computeMajor;
  int computeMinor;
  int maxThreadsPerBlock;
  int maxThreadsPerMultiprocessor;
  int regsPerBlock;
  int regsPerMultiprocessor;
  int warpSize;
  size_t sharedMemPerBlock;
  size_t sharedMemPerMultiprocessor;
  int numSms;
  size_t sharedMemPerBlockOptin;
  size_t reservedSharedMemPerBlock;
#ifdef __cplusplus
  cudaOccDeviceProp() { memset(this, 0, sizeof *this); }
  /// From a cudaDeviceProp.
  template <class Properties>
  cudaOccDeviceProp(const Properties &from)
      : computeMajor(from.major), computeMinor(from.minor),
        maxThreadsPerBlock(from.maxThreadsPerBlock),
        maxThreadsPerMultiprocessor(from.maxThreadsPerMultiProcessor),
        regsPerBlock(from.regsPerBlock), regsPerMultiprocessor(from.regsPerMultiprocessor),
        warpSize(from.warpSize), sharedMemPerBlock(from.sharedMemPerBlock),
        sharedMemPerMultiprocessor(from.sharedMemPerMultiprocessor),
        numSms(from.multiProcessorCount), sharedMemPerBlockOptin(from.sharedMemPerBlockOptin),
        reservedSharedMemPerBlock(from.reservedSharedMemPerBlock) {}
#endif
};

struct cudaOccFuncAttributes {
  int maxThreadsPerBlock;
  int numRegs;
  size_t sharedSizeBytes;
  cudaOccPartitionedGCConfig partitionedGCConfig;
  cudaOccFuncShmemConfig shmemLimitConfig;
  size_t maxDynamicSharedSizeBytes;
  int numBlockBarriers;
#ifdef __cplusplus
  cudaOccFuncAttributes() { memset(this, 0, sizeof *this); }
  /// From a cudaFuncAttributes.
  template <class Attributes>
  cudaOccFuncAttributes(const Attributes &from)
      : maxThreadsPerBlock(from.maxThreadsPerBlock), numRegs(from.numRegs),
        sharedSizeBytes(from.sharedSizeBytes), partitionedGCConfig(PARTITIONED_GC_OFF),
        shmemLimitConfig(FUNC_SHMEM_LIMIT_OPTIN),
        maxDynamicSharedSizeBytes(size_t(from.maxDynamicSharedSizeBytes)), numBlockBarriers(1) {}
#endif
};

struct cudaOccDeviceState {
  cudaOccCacheConfig cacheConfig;
  int carveoutConfig; // percent of sharedMemPerMultiprocessor, or a cudaOccCarveoutConfig
#ifdef __cplusplus
  cudaOccDeviceState()
      : cacheConfig(CACHE_PREFER_NONE), carveoutConfig(SHAREDMEM_CARVEOUT_DEFAULT) {}
#endif
};

struct cudaOccResult {
  int activeBlocksPerMultiprocessor;
  unsigned int limitingFactors; // cudaOccLimitingFactor
  int blockLimitRegs;
  int blockLimitSharedMem;
  int blockLimitWarps;
  int blockLimitBlocks;
  int blockLimitBarriers;
  int allocatedRegistersPerBlock;
  size_t allocatedSharedMemPerBlock;
  cudaOccPartitionedGCConfig partitionedGCConfig;
};

typedef struct cudaOccDeviceProp cudaOccDeviceProp;
typedef struct cudaOccFuncAttributes cudaOccFuncAttributes;
typedef struct cudaOccDeviceState cudaOccDeviceState;
typedef struct cudaOccResult cudaOccResult;

#include "__heddle_host/occupancy_rules.h"

/// How many blocks of `blockSize` threads are resident on a multiprocessor, and what limits them.
CUDA_OCC_INLINE cudaOccError cudaOccMaxActiveBlocksPerMultiprocessor(
    cudaOccResult *result, const cudaOccDeviceProp *properties,
    const cudaOccFuncAttributes *attributes, const cudaOccDeviceState *state, int blockSize,
    size_t dynamicSmemSize) {
  int blocks;
  if (!result || !state || !__heddleOccValid(properties, attributes) || blockSize <= 0)
    return CUDA_OCC_ERROR_INVALID_INPUT;
  memset(result, 0, sizeof *result);
  result->blockLimitBlocks = __heddleOccBlockSlots(properties);
  if (!result->blockLimitBlocks)
    return CUDA_OCC_ERROR_UNKNOWN_DEVICE;
  result->blockLimitWarps = __heddleOccByWarps(properties, blockSize);
  result->blockLimitRegs = __heddleOccByRegisters(properties, attributes, blockSize,
                                                  &result->allocatedRegistersPerBlock);
  result->blockLimitSharedMem = __heddleOccByShared(properties, attributes, state, dynamicSmemSize,
                                                    &result->allocatedSharedMemPerBlock);
  result->blockLimitBarriers = INT_MAX; // no kernel here names its barriers
  result->partitionedGCConfig = PARTITIONED_GC_OFF;
  if (attributes->maxThreadsPerBlock > 0 && blockSize > attributes->maxThreadsPerBlock)
    result->blockLimitWarps = 0;

  blocks = __heddleOccMin(__heddleOccMin(result->blockLimitWarps, result->blockLimitRegs),
                          __heddleOccMin(result->blockLimitSharedMem, result->blockLimitBlocks));
  result->activeBlocksPerMultiprocessor = blocks;
  result->limitingFactors = (blocks == result->blockLimitWarps ? OCC_LIMIT_WARPS : 0) |
                            (blocks == result->blockLimitRegs ? OCC_LIMIT_REGISTERS : 0) |
                            (blocks == result->blockLimitSharedMem ? OCC_LIMIT_SHARED_MEMORY : 0) |
                            (blocks == result->blockLimitBlocks ? OCC_LIMIT_BLOCKS : 0);
  return CUDA_OCC_SUCCESS;
}

/// The most dynamic shared memory with which `numBlocks` blocks still fit.
CUDA_OCC_INLINE cudaOccError
cudaOccAvailableDynamicSMemPerBlock(size_t *bytesAvailable, const cudaOccDeviceProp *properties,
                                    const cudaOccFuncAttributes *attributes,
                                    const cudaOccDeviceState *state, int numBlocks, int blockSize) {
  cudaOccResult result;
  size_t low = 0, high;
  cudaOccError error;
  if (!bytesAvailable || numBlocks <= 0)
    return CUDA_OCC_ERROR_INVALID_INPUT;
  error =
      cudaOccMaxActiveBlocksPerMultiprocessor(&result, properties, attributes, state, blockSize, 0);
  if (error != CUDA_OCC_SUCCESS)
    return error;
  *bytesAvailable = 0;
  if (result.activeBlocksPerMultiprocessor < numBlocks)
    return CUDA_OCC_ERROR_INVALID_INPUT;
  for (high = properties->sharedMemPerMultiprocessor; low < high;) {
    const size_t middle = low + (high - low + 1) / 2;
    cudaOccMaxActiveBlocksPerMultiprocessor(&result, properties, attributes, state, blockSize,
                                            middle);
    if (result.activeBlocksPerMultiprocessor >= numBlocks)
      low = middle;
    else
      high = middle - 1;
  }
  *bytesAvailable = low;
  return CUDA_OCC_SUCCESS;
}

/// The largest block size among those that keep the most threads resident, and the blocks that fill
/// the device. Dynamic shared memory is `dynamicSMemSize`, or what the function says for a size.
CUDA_OCC_INLINE cudaOccError cudaOccMaxPotentialOccupancyBlockSize(
    int *minGridSize, int *blockSize, const cudaOccDeviceProp *properties,
    const cudaOccFuncAttributes *attributes, const cudaOccDeviceState *state,
    size_t (*blockSizeToDynamicSMemSize)(int), size_t dynamicSMemSize) {
  cudaOccResult result;
  cudaOccError error;
  int size, most = 0, limit;
  if (!minGridSize || !blockSize || !state || !__heddleOccValid(properties, attributes))
    return CUDA_OCC_ERROR_INVALID_INPUT;
  *minGridSize = *blockSize = 0;
  limit = __heddleOccMin(properties->maxThreadsPerBlock, attributes->maxThreadsPerBlock);
  for (size = (limit + properties->warpSize - 1) / properties->warpSize * properties->warpSize;
       size > 0; size -= properties->warpSize) {
    const int threads = __heddleOccMin(size, limit);
    const size_t shared =
        blockSizeToDynamicSMemSize ? blockSizeToDynamicSMemSize(threads) : dynamicSMemSize;
    error = cudaOccMaxActiveBlocksPerMultiprocessor(&result, properties, attributes, state, threads,
                                                    shared);
    if (error != CUDA_OCC_SUCCESS)
      return error;
    if (result.activeBlocksPerMultiprocessor * threads <= most)
      continue;
    most = result.activeBlocksPerMultiprocessor * threads;
    *blockSize = threads;
    *minGridSize = result.activeBlocksPerMultiprocessor * properties->numSms;
  }
  return CUDA_OCC_SUCCESS;
}

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rules behind cuda_occupancy.h: one function for each resource of a multiprocessor.
#ifndef __cuda_occupancy_h__
#error "Include <cuda_occupancy.h> instead."
#endif

static inline int __heddleOccMin(int a, int b) { return a < b ? a : b; }
static inline size_t __heddleOccRound(size_t value, size_t unit) {
  return (value + unit - 1) / unit * unit;
}

static inline int __heddleOccValid(const cudaOccDeviceProp *properties,
                                   const cudaOccFuncAttributes *attributes) {
  return properties && attributes && properties->warpSize > 0 &&
         properties->maxThreadsPerBlock > 0 && properties->maxThreadsPerMultiprocessor > 0 &&
         properties->regsPerBlock > 0 && properties->regsPerMultiprocessor > 0 &&
         attributes->numRegs >= 0 && attributes->maxThreadsPerBlock > 0;
}

/// Resident blocks at most; 0 for a compute capability that is not known.
static inline int __heddleOccBlockSlots(const cudaOccDeviceProp *properties) {
  const int capability = properties->computeMajor * 10 + properties->computeMinor;
  if (capability < 50 || capability >= 130)
    return 0;
  if (capability == 75 || capability == 86 || capability == 87)
    return 16;
  if (capability == 89 || capability == 101 || capability == 110 || capability >= 120)
    return 24;
  return 32;
}

static inline int __heddleOccWarps(const cudaOccDeviceProp *properties, int threads) {
  return (threads + properties->warpSize - 1) / properties->warpSize;
}

static inline int __heddleOccByWarps(const cudaOccDeviceProp *properties, int threads) {
  if (threads > properties->maxThreadsPerBlock)
    return 0;
  return properties->maxThreadsPerMultiprocessor / properties->warpSize /
         __heddleOccWarps(properties, threads);
}

/// A warp's registers are allocated in units of 256, in one of the multiprocessor's partitions.
static inline int __heddleOccByRegisters(const cudaOccDeviceProp *properties,
                                         const cudaOccFuncAttributes *attributes, int threads,
                                         int *allocated) {
  const int partitions = properties->computeMajor == 6 && properties->computeMinor == 0 ? 2 : 4;
  const int warps = __heddleOccWarps(properties, threads);
  const int checked = (int)__heddleOccRound((size_t)warps, (size_t)partitions);
  const int per_warp =
      (int)__heddleOccRound((size_t)attributes->numRegs * (size_t)properties->warpSize, 256);
  *allocated = per_warp * checked;
  if (per_warp == 0)
    return INT_MAX;
  if (attributes->numRegs > 255 || *allocated > properties->regsPerBlock)
    return 0;
  return properties->regsPerMultiprocessor / partitions / per_warp * partitions / warps;
}

/// What a multiprocessor gives to shared memory for a wish in percent: the next of its sizes.
static inline size_t __heddleOccCarveout(const cudaOccDeviceProp *properties, int percent,
                                         size_t block) {
  static const int sizes[] = {0, 8, 16, 32, 64, 96, 100, 132, 164, 196, 228}; // in KiB
  const size_t all = properties->sharedMemPerMultiprocessor;
  const size_t wish = percent < 0 ? all : all * (size_t)percent / 100;
  size_t i;
  for (i = 0; i < sizeof sizes / sizeof sizes[0]; ++i) {
    const size_t size = (size_t)sizes[i] * 1024;
    const int other_gpu = (sizes[i] == 96) != (all == 96 * 1024) && sizes[i] == 96;
    const int turing = properties->computeMajor == 7 && properties->computeMinor == 5;
    if (other_gpu || size > all || (turing && sizes[i] < 32))
      continue;
    if (size >= wish && size >= block)
      return size;
  }
  return all;
}

static inline int __heddleOccByShared(const cudaOccDeviceProp *properties,
                                      const cudaOccFuncAttributes *attributes,
                                      const cudaOccDeviceState *state, size_t dynamic,
                                      size_t *allocated) {
  const size_t used = attributes->sharedSizeBytes + dynamic;
  const size_t reserved = properties->computeMajor >= 8 ? properties->reservedSharedMemPerBlock : 0;
  const int opted_in = attributes->shmemLimitConfig == FUNC_SHMEM_LIMIT_OPTIN;
  size_t limit = properties->sharedMemPerBlock;
  if (opted_in && attributes->maxDynamicSharedSizeBytes + attributes->sharedSizeBytes > limit)
    limit = attributes->maxDynamicSharedSizeBytes + attributes->sharedSizeBytes;
  *allocated = __heddleOccRound(used + reserved, properties->computeMajor >= 8 ? 128 : 256);
  if (used > limit)
    return 0;
  if (*allocated == 0)
    return INT_MAX;
  return (int)(__heddleOccCarveout(properties, state->carveoutConfig, *allocated) / *allocated);
}

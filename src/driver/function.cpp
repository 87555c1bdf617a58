// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions: what a program can ask and set about them, and occupancy.
#include "api/kernel_queries.h"
#include "driver/launch.h"
#include "driver/module/module.h"

#include <__heddle_host/occupancy_templates.h>

using namespace heddle;
using namespace heddle::driver;

namespace {

/// Runs a body that calls the runtime's function of the same purpose.
template <class Body> CUresult callRuntime(CUfunction function, Body body) {
  return callFunction(function, [&](Kernel &, Device &) { return body(); });
}

CUresult potentialBlockSize(int *grid, int *block, CUfunction function,
                            CUoccupancyB2DSize shared_of, size_t shared, int limit,
                            unsigned flags) {
  return callRuntime(function, [&] {
    if (!grid || !block || limit < 0)
      return cudaErrorInvalidValue;
    return cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(
        grid, block, static_cast<const void *>(function),
        [&](int threads) { return shared_of ? shared_of(threads) : shared; }, limit, flags);
  });
}

CUresult activeBlocks(int *blocks, CUfunction function, int threads, size_t shared,
                      unsigned flags) {
  return callRuntime(function, [&] {
    return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function, threads, shared,
                                                                  flags);
  });
}

} // namespace

CUresult cuFuncGetAttribute(int *value, CUfunction_attribute attribute, CUfunction function) {
  return callFunction(function, [&](Kernel &kernel, Device &device) {
    return api::attributeOf(device, kernel, int(attribute), value);
  });
}

CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value) {
  return callFunction(function, [&](Kernel &kernel, Device &device) {
    return api::setAttribute(device, kernel, cudaFuncAttribute(attribute), value);
  });
}

CUresult cuFuncSetCacheConfig(CUfunction function, CUfunc_cache config) {
  return callRuntime(function,
                     [&] { return cudaFuncSetCacheConfig(function, cudaFuncCache(config)); });
}

CUresult cuFuncSetSharedMemConfig(CUfunction function, CUsharedconfig config) {
  return callRuntime(
      function, [&] { return cudaFuncSetSharedMemConfig(function, cudaSharedMemConfig(config)); });
}

CUresult cuFuncGetModule(CUmodule *module, CUfunction function) {
  if (!function)
    return call([] { return CUDA_ERROR_INVALID_VALUE; });
  return callFunction(function, [&](Kernel &kernel, Device &) {
    if (!module)
      return CUDA_ERROR_INVALID_VALUE;
    *module = reinterpret_cast<CUmodule>(&kernel.module->whole());
    return CUDA_SUCCESS;
  });
}

CUresult cuFuncGetName(const char **name, CUfunction function) {
  if (!function)
    return call([] { return CUDA_ERROR_INVALID_VALUE; });
  return callRuntime(function, [&] { return cudaFuncGetName(name, function); });
}

CUresult cuFuncGetParamInfo(CUfunction function, size_t index, size_t *offset, size_t *size) {
  if (!function)
    return call([] { return CUDA_ERROR_INVALID_VALUE; });
  return callFunction(function, [&](Kernel &kernel, Device &) {
    return api::parameterOf(kernel, index, offset, size);
  });
}

CUresult cuFuncGetParamCount(CUfunction function, size_t *count) {
  if (!function || !count)
    return call([] { return CUDA_ERROR_INVALID_VALUE; });
  return callFunction(function, [&](Kernel &kernel, Device &) {
    *count = kernel.info().parameters.size();
    return cudaSuccess;
  });
}

// A function's code is found when its handle is; it is compiled for the shape of a block when it is
// launched.
CUresult cuFuncIsLoaded(CUfunctionLoadingState *state, CUfunction function) {
  return callFunction(function, [&](Kernel &, Device &) {
    if (!state)
      return CUDA_ERROR_INVALID_VALUE;
    *state = CU_FUNCTION_LOADING_STATE_LOADED;
    return CUDA_SUCCESS;
  });
}

CUresult cuFuncLoad(CUfunction function) {
  return callRuntime(function, [] { return cudaSuccess; });
}

// ---- Occupancy ----------------------------------------------------------------------------------

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, CUfunction function,
                                                     int blockSize, size_t dynamicSharedBytes) {
  return activeBlocks(blocks, function, blockSize, dynamicSharedBytes, CU_OCCUPANCY_DEFAULT);
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, CUfunction function,
                                                              int blockSize,
                                                              size_t dynamicSharedBytes,
                                                              unsigned flags) {
  return activeBlocks(blocks, function, blockSize, dynamicSharedBytes, flags);
}

CUresult cuOccupancyMaxPotentialBlockSize(int *minGridSize, int *blockSize, CUfunction function,
                                          CUoccupancyB2DSize sharedBytesOf,
                                          size_t dynamicSharedBytes, int blockSizeLimit) {
  return potentialBlockSize(minGridSize, blockSize, function, sharedBytesOf, dynamicSharedBytes,
                            blockSizeLimit, CU_OCCUPANCY_DEFAULT);
}

CUresult cuOccupancyMaxPotentialBlockSizeWithFlags(int *minGridSize, int *blockSize,
                                                   CUfunction function,
                                                   CUoccupancyB2DSize sharedBytesOf,
                                                   size_t dynamicSharedBytes, int blockSizeLimit,
                                                   unsigned flags) {
  return potentialBlockSize(minGridSize, blockSize, function, sharedBytesOf, dynamicSharedBytes,
                            blockSizeLimit, flags);
}

CUresult cuOccupancyAvailableDynamicSMemPerBlock(size_t *dynamicSharedBytes, CUfunction function,
                                                 int blocks, int blockSize) {
  return callRuntime(function, [&] {
    return cudaOccupancyAvailableDynamicSMemPerBlock(
        dynamicSharedBytes, static_cast<const void *>(function), blocks, blockSize);
  });
}

CUresult cuOccupancyMaxPotentialClusterSize(int *size, CUfunction function,
                                            const CUlaunchConfig *config) {
  if (!function)
    return call([] { return CUDA_ERROR_INVALID_VALUE; });
  return callRuntime(function, [&] {
    if (!config)
      return cudaErrorInvalidValue;
    const cudaLaunchConfig_t converted = runtimeConfig(*config);
    return cudaOccupancyMaxPotentialClusterSize(size, static_cast<const void *>(function),
                                                &converted);
  });
}

CUresult cuOccupancyMaxActiveClusters(int *clusters, CUfunction function,
                                      const CUlaunchConfig *config) {
  if (!function)
    return call([] { return CUDA_ERROR_INVALID_VALUE; });
  return callRuntime(function, [&] {
    if (!config)
      return cudaErrorInvalidValue;
    const cudaLaunchConfig_t converted = runtimeConfig(*config);
    return cudaOccupancyMaxActiveClusters(clusters, static_cast<const void *>(function),
                                          &converted);
  });
}

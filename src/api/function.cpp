// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a program can ask and set about a kernel: attributes and occupancy.
#include "api/entry.h"
#include "api/kernel_queries.h"
#include "device/launch.h"

#include <algorithm>
#include <iterator>

using namespace heddle;
using namespace heddle::api;

namespace {

/// Runs a body that uses a kernel on the current device.
template <class Body> cudaError_t callKernel(const void *function, Body body) {
  return callDevice([&](Device &device) {
    std::shared_ptr<Kernel> kernel;
    cudaError_t error = Registry::instance().findKernel(function, kernel);
    return error ? error : body(device, *kernel);
  });
}

/// The most threads that a block of this kernel may have. Registers do not count: they are
/// estimated.
int maxThreads(const Device &device, const Kernel &kernel) {
  const int bound = int(kernel.info().max_threads_per_block),
            all = device.gpu.max_threads_per_block;
  return bound ? std::min(bound, all) : all;
}

int64_t maxDynamicShared(const Device &device, const Kernel &kernel) {
  int64_t opted_in = kernel.settings[device.ordinal].max_dynamic_shared;
  return opted_in >= 0
             ? opted_in
             : int64_t(device.gpu.shared_per_block) - int64_t(kernel.info().static_shared_bytes);
}

cudaError_t activeBlocks(int *blocks, const void *function, int threads, size_t shared,
                         unsigned flags) {
  return callKernel(function, [&](Device &device, Kernel &kernel) {
    if (!blocks || threads <= 0 || (flags & ~unsigned(cudaOccupancyDisableCachingOverride)))
      return cudaErrorInvalidValue;
    *blocks =
        gpu::occupancy(device.gpu, resourcesOf(device, kernel, threads, shared)).blocks_per_sm;
    return cudaSuccess;
  });
}

} // namespace

cudaError_t api::attributesOf(const Device &device, const Kernel &kernel,
                              cudaFuncAttributes *attributes) {
  if (!attributes)
    return cudaErrorInvalidValue;
  const KernelInfo &info = kernel.info();
  int architecture = int(kernel.module->info().arch / 10); // 750 -> 75
  *attributes = {};
  attributes->sharedSizeBytes = info.static_shared_bytes;
  attributes->constSizeBytes = info.constant_bytes;
  attributes->localSizeBytes = info.local_bytes;
  attributes->maxThreadsPerBlock = maxThreads(device, kernel);
  attributes->numRegs = int(info.registers);
  attributes->ptxVersion = architecture;
  attributes->binaryVersion = device.gpu.compute_major * 10 + device.gpu.compute_minor;
  attributes->maxDynamicSharedSizeBytes = int(maxDynamicShared(device, kernel));
  attributes->preferredShmemCarveout = kernel.settings[device.ordinal].carveout;
  const Kernel::Settings &settings = kernel.settings[device.ordinal];
  const std::array<uint32_t, 3> compiled = compiledCluster(kernel);
  const auto cluster = [&](size_t axis) {
    return int(compiled[0] ? compiled[axis] : settings.cluster[axis].load());
  };
  attributes->clusterDimMustBeSet = compiled[0] != 0;
  attributes->requiredClusterWidth = cluster(0);
  attributes->requiredClusterHeight = cluster(1);
  attributes->requiredClusterDepth = cluster(2);
  attributes->nonPortableClusterSizeAllowed = settings.large_clusters;
  return cudaSuccess;
}

cudaError_t api::setAttribute(Device &device, Kernel &kernel, cudaFuncAttribute attribute,
                              int value) {
  Kernel::Settings &settings = kernel.settings[device.ordinal];
  switch (attribute) {
  case cudaFuncAttributeMaxDynamicSharedMemorySize: {
    int64_t limit =
        int64_t(device.gpu.shared_per_block_optin) - int64_t(kernel.info().static_shared_bytes);
    if (value < 0 || value > limit)
      return cudaErrorInvalidValue;
    settings.max_dynamic_shared = value;
    return cudaSuccess;
  }
  case cudaFuncAttributePreferredSharedMemoryCarveout:
    if (value < -1 || value > 100)
      return cudaErrorInvalidValue;
    settings.carveout = value;
    return cudaSuccess;
  case cudaFuncAttributeNonPortableClusterSizeAllowed:
    if (value != 0 && value != 1)
      return cudaErrorInvalidValue;
    settings.large_clusters = value != 0;
    return cudaSuccess;
  case cudaFuncAttributeClusterSchedulingPolicyPreference: // where blocks run has no effect
    return value < 0 || value > cudaClusterSchedulingPolicyLoadBalancing ? cudaErrorInvalidValue
                                                                         : cudaSuccess;
  case cudaFuncAttributeRequiredClusterWidth:
  case cudaFuncAttributeRequiredClusterHeight:
  case cudaFuncAttributeRequiredClusterDepth:
    if (compiledCluster(kernel)[0])
      return cudaErrorInvalidValue; // fixed by __cluster_dims__; an H200 gives this error
    if (value < 0)
      return cudaErrorInvalidValue;
    settings.cluster[size_t(attribute - cudaFuncAttributeRequiredClusterWidth)] = uint32_t(value);
    return cudaSuccess;
  default:
    return cudaErrorInvalidValue;
  }
}

cudaError_t api::attributeOf(const Device &device, const Kernel &kernel, int attribute,
                             int *value) {
  cudaFuncAttributes all;
  if (!value)
    return cudaErrorInvalidValue;
  if (cudaError_t error = attributesOf(device, kernel, &all))
    return error;
  const int values[] = {all.maxThreadsPerBlock,
                        int(all.sharedSizeBytes),
                        int(all.constSizeBytes),
                        int(all.localSizeBytes),
                        all.numRegs,
                        all.ptxVersion,
                        all.binaryVersion,
                        all.cacheModeCA,
                        all.maxDynamicSharedSizeBytes,
                        all.preferredShmemCarveout,
                        all.clusterDimMustBeSet,
                        all.requiredClusterWidth,
                        all.requiredClusterHeight,
                        all.requiredClusterDepth,
                        all.nonPortableClusterSizeAllowed,
                        all.clusterSchedulingPolicyPreference};
  if (attribute < 0 || attribute >= int(std::size(values)))
    return cudaErrorInvalidValue;
  *value = values[attribute];
  return cudaSuccess;
}

cudaError_t api::parameterOf(const Kernel &kernel, size_t index, size_t *offset, size_t *size) {
  const auto &parameters = kernel.info().parameters;
  if (!offset || index >= parameters.size())
    return cudaErrorInvalidValue;
  *offset = parameters[index].offset;
  if (size)
    *size = parameters[index].size;
  return cudaSuccess;
}

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes, const void *func) {
  return callKernel(func, [&](Device &device, Kernel &kernel) {
    return attributesOf(device, kernel, attributes);
  });
}

cudaError_t cudaFuncSetAttribute(const void *func, cudaFuncAttribute attr, int value) {
  return callKernel(func, [&](Device &device, Kernel &kernel) {
    return setAttribute(device, kernel, attr, value);
  });
}

cudaError_t cudaFuncSetCacheConfig(const void *func, cudaFuncCache cacheConfig) {
  return callKernel(func, [&](Device &device, Kernel &kernel) {
    if (unsigned(cacheConfig) > cudaFuncCachePreferEqual)
      return cudaErrorInvalidValue;
    kernel.settings[device.ordinal].cache = cacheConfig;
    return cudaSuccess;
  });
}

// Since Maxwell banks are four bytes wide whatever one asks for.
cudaError_t cudaFuncSetSharedMemConfig(const void *func, cudaSharedMemConfig config) {
  return callKernel(func, [&](Device &, Kernel &) {
    return unsigned(config) > cudaSharedMemBankSizeEightByte ? cudaErrorInvalidValue : cudaSuccess;
  });
}

// A kernel's handle is the address of its stub: all calls that take a stub take a handle.
cudaError_t cudaGetKernel(cudaKernel_t *kernel, const void *entryFunction) {
  return callKernel(entryFunction, [&](Device &, Kernel &) {
    if (!kernel)
      return cudaErrorInvalidValue;
    *kernel = reinterpret_cast<cudaKernel_t>(const_cast<void *>(entryFunction));
    return cudaSuccess;
  });
}

cudaError_t cudaGetFuncBySymbol(cudaFunction_t *function, const void *symbol) {
  return callKernel(symbol, [&](Device &, Kernel &) {
    if (!function)
      return cudaErrorInvalidValue;
    *function = reinterpret_cast<cudaFunction_t>(const_cast<void *>(symbol));
    return cudaSuccess;
  });
}

cudaError_t cudaFuncGetName(const char **name, const void *func) {
  return callKernel(func, [&](Device &, Kernel &kernel) {
    if (!name)
      return cudaErrorInvalidValue;
    *name = kernel.info().name.c_str();
    return cudaSuccess;
  });
}

cudaError_t cudaFuncGetParamInfo(const void *func, size_t index, size_t *offset, size_t *size) {
  return callKernel(
      func, [&](Device &, Kernel &kernel) { return parameterOf(kernel, index, offset, size); });
}

cudaError_t cudaFuncGetParamCount(const void *func, size_t *paramCount) {
  return callKernel(func, [&](Device &, Kernel &kernel) {
    if (!paramCount)
      return cudaErrorInvalidValue;
    *paramCount = kernel.info().parameters.size();
    return cudaSuccess;
  });
}

// Device code has its own double precision here, so nothing is converted.
cudaError_t cudaSetDoubleForDevice(double *value) {
  return call([&] { return value ? cudaSuccess : cudaErrorInvalidValue; });
}
cudaError_t cudaSetDoubleForHost(double *value) { return cudaSetDoubleForDevice(value); }

// ---- Occupancy ----------------------------------------------------------------------------------

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *numBlocks, const void *func,
                                                          int blockSize, size_t dynamicSmemBytes) {
  return activeBlocks(numBlocks, func, blockSize, dynamicSmemBytes, cudaOccupancyDefault);
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *numBlocks, const void *func,
                                                                   int blockSize,
                                                                   size_t dynamicSmemBytes,
                                                                   unsigned flags) {
  return activeBlocks(numBlocks, func, blockSize, dynamicSmemBytes, flags);
}

cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *dynamicSmemBytes, const void *func,
                                                      int numBlocks, int blockSize) {
  return callKernel(func, [&](Device &device, Kernel &kernel) {
    if (!dynamicSmemBytes || numBlocks <= 0 || blockSize <= 0)
      return cudaErrorInvalidValue;
    std::optional<uint64_t> bytes = gpu::availableDynamicShared(
        device.gpu, resourcesOf(device, kernel, blockSize, 0), numBlocks);
    if (!bytes)
      return cudaErrorInvalidValue;
    *dynamicSmemBytes = *bytes;
    return cudaSuccess;
  });
}

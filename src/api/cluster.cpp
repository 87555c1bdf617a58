// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How many thread block clusters the GPU holds at once, and how large they may be.
#include "api/entry.h"
#include "device/launch.h"

using namespace heddle;
using namespace heddle::api;

namespace {

/// Runs a body that uses a kernel, a checked configuration of it, and its clusters.
template <class Body>
cudaError_t callCluster(const int *result, const void *function, const cudaLaunchConfig_t *config,
                        Body body) {
  return callDevice([&](Device &device) {
    std::shared_ptr<Kernel> kernel;
    if (cudaError_t error = Registry::instance().findKernel(function, kernel))
      return error;
    if (!result || !config || (config->numAttrs && !config->attrs))
      return cudaErrorInvalidValue;
    LaunchRequest request;
    request.grid = {config->gridDim.x, config->gridDim.y, config->gridDim.z};
    request.block = {config->blockDim.x, config->blockDim.y, config->blockDim.z};
    request.dynamic_shared_bytes = config->dynamicSmemBytes;
    for (unsigned i = 0; i < config->numAttrs; ++i)
      if (const auto &value = config->attrs[i].val;
          config->attrs[i].id == cudaLaunchAttributeClusterDimension)
        request.cluster = {value.clusterDim.x, value.clusterDim.y, value.clusterDim.z};
    return body(device, *kernel, request);
  });
}

} // namespace

// Which multiprocessors form a group that a cluster must fit into is not known, so it may be fewer
// on a GPU.
cudaError_t cudaOccupancyMaxActiveClusters(int *numClusters, const void *func,
                                           const cudaLaunchConfig_t *config) {
  return callCluster(
      numClusters, func, config, [&](Device &device, Kernel &kernel, const LaunchRequest &request) {
        engine::Dim3 cluster;
        if (cudaError_t error = clusterOf(device, kernel, request, cluster))
          return error;
        if (!request.block.count())
          return cudaErrorInvalidConfiguration;
        const int blocks =
            gpu::occupancy(device.gpu, resourcesOf(device, kernel, int(request.block.count()),
                                                   request.dynamic_shared_bytes))
                .blocks_per_sm *
            device.gpu.multiprocessors;
        *numClusters = blocks / int(cluster.count());
        return cudaSuccess;
      });
}

cudaError_t cudaOccupancyMaxPotentialClusterSize(int *clusterSize, const void *func,
                                                 const cudaLaunchConfig_t *config) {
  return callCluster(clusterSize, func, config,
                     [&](Device &device, Kernel &kernel, const LaunchRequest &request) {
                       engine::Dim3 cluster;
                       if (cudaError_t error = clusterOf(device, kernel, request, cluster))
                         return error;
                       if (!device.gpu.cluster_launch)
                         return cudaErrorNotSupported;
                       const bool large = kernel.settings[device.ordinal].large_clusters;
                       *clusterSize = int(large ? most_cluster_blocks : portable_cluster_blocks);
                       return cudaSuccess;
                     });
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which clusters can be launched, and what a program can ask about them.
// flags: -arch=sm_90
// env: HEDDLE_GPU=h200
#include "check.h"

__global__ void plain() {}
__global__ void __cluster_dims__(2, 1, 1) two() {}

template <typename Kernel> cudaError_t launch(Kernel *kernel, unsigned grid, unsigned cluster) {
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(grid);
  config.blockDim = dim3(64);
  cudaLaunchAttribute attribute[1];
  attribute[0].id = cudaLaunchAttributeClusterDimension;
  attribute[0].val.clusterDim.x = cluster;
  attribute[0].val.clusterDim.y = attribute[0].val.clusterDim.z = 1;
  config.attrs = attribute;
  config.numAttrs = 1;
  cudaLaunchKernelEx(&config, kernel);
  const cudaError_t error = cudaGetLastError();
  CHECK_CUDA(cudaDeviceSynchronize());
  return error;
}

int main() {
  int has_clusters = 0;
  CHECK_CUDA(cudaDeviceGetAttribute(&has_clusters, cudaDevAttrClusterLaunch, 0));
  CHECK_EQ(has_clusters, 1);
  CHECK_EQ(launch(plain, 8, 4), cudaSuccess);
  CHECK_EQ(launch(plain, 9, 3), cudaSuccess);
  CHECK_EQ(launch(two, 8, 2), cudaSuccess);
  CHECK_EQ(launch(plain, 6, 4), cudaErrorInvalidClusterSize);   // not a multiple
  CHECK_EQ(launch(plain, 32, 16), cudaErrorInvalidClusterSize); // not on all GPUs
  CHECK_EQ(launch(plain, 8, 0), cudaErrorInvalidClusterSize);
  CHECK_EQ(launch(two, 8, 4), cudaErrorInvalidClusterSize); // not its __cluster_dims__
  two<<<7, 64>>>();
  CHECK_EQ(cudaGetLastError(), cudaErrorInvalidClusterSize);
  CHECK_CUDA(cudaFuncSetAttribute(plain, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
  CHECK_EQ(launch(plain, 32, 16), cudaSuccess);
  CHECK_EQ(launch(plain, 32, 32), cudaErrorInvalidClusterSize);

  cudaFuncAttributes attributes;
  CHECK_CUDA(cudaFuncGetAttributes(&attributes, two));
  CHECK_EQ(attributes.requiredClusterWidth, 2);
  CHECK_EQ(attributes.requiredClusterHeight, 1);
  CHECK_EQ(attributes.clusterDimMustBeSet, 1);
  CHECK_EQ(cudaFuncSetAttribute(two, cudaFuncAttributeRequiredClusterWidth, 4),
           cudaErrorInvalidValue);
  cudaGetLastError();
  CHECK_CUDA(cudaFuncGetAttributes(&attributes, plain));
  CHECK_EQ(attributes.requiredClusterWidth, 0);
  CHECK_EQ(attributes.nonPortableClusterSizeAllowed, 1);

  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(8);
  config.blockDim = dim3(64);
  int size = 0;
  CHECK_CUDA(cudaOccupancyMaxPotentialClusterSize(&size, two, &config));
  CHECK(size >= 8);
  int clusters = 0;
  CHECK_CUDA(cudaOccupancyMaxActiveClusters(&clusters, two, &config));
  CHECK(clusters > 0);
  RETURN_RESULT();
}

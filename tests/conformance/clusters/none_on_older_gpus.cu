// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A GPU without clusters refuses their launch, and goes on.
// env: HEDDLE_GPU=t4
// stderr-contains: thread block clusters
// hardware: skip needs a GPU without clusters
#include "check.h"

__global__ void plain() {}

int main() {
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(8);
  config.blockDim = dim3(64);
  cudaLaunchAttribute attribute[1];
  attribute[0].id = cudaLaunchAttributeClusterDimension;
  attribute[0].val.clusterDim.x = 2;
  attribute[0].val.clusterDim.y = attribute[0].val.clusterDim.z = 1;
  config.attrs = attribute;
  config.numAttrs = 1;
  CHECK_EQ(cudaLaunchKernelEx(&config, plain), cudaErrorNotSupported);
  CHECK_EQ(cudaGetLastError(), cudaErrorNotSupported);
  plain<<<1, 32>>>();
  CHECK_CUDA(cudaDeviceSynchronize());
  RETURN_RESULT();
}

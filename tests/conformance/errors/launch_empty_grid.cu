// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Grids and blocks without threads, and grids too large in y or z, are refused.
#include "check.h"

__global__ void count(int *counter) { atomicAdd(counter, 1); }

#if CUDART_VERSION >= 13000
const cudaError_t refused = cudaErrorInvalidValue;
#else
const cudaError_t refused = cudaErrorInvalidConfiguration;
#endif

int main() {
  DeviceBuffer<int> counter(1);
  const struct {
    dim3 grid, block;
  } launches[] = {{dim3(0), dim3(32)},       {dim3(1), dim3(0)},
                  {dim3(1, 0), dim3(32)},    {dim3(1), dim3(32, 1, 0)},
                  {dim3(1, 65536), dim3(1)}, {dim3(1, 1, 65536), dim3(1)},
                  {dim3(1u << 31), dim3(1)}};
  for (const auto &launch : launches) {
    count<<<launch.grid, launch.block>>>(counter);
    CHECK_EQ(cudaGetLastError(), refused);
  }
  CHECK_EQ(counter.download()[0], 0);
  RETURN_RESULT();
}

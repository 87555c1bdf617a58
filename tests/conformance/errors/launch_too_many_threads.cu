// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks larger than the device allows, as a whole or in one dimension: the launch is refused and
// the kernel does not run.
#include "check.h"

__global__ void count(int *counter) { atomicAdd(counter, 1); }

// CUDA 13 names the argument, CUDA 12 the configuration.
#if CUDART_VERSION >= 13000
const cudaError_t refused = cudaErrorInvalidValue;
#else
const cudaError_t refused = cudaErrorInvalidConfiguration;
#endif

int main() {
  DeviceBuffer<int> counter(1);
  for (dim3 block : {dim3(1025), dim3(32, 33), dim3(1, 1, 65), dim3(1, 2048), dim3(1u << 31)}) {
    count<<<1, block>>>(counter);
    CHECK_EQ(cudaGetLastError(), refused);
    CHECK_EQ(cudaGetLastError(), cudaSuccess); // not sticky
    CHECK_EQ(cudaDeviceSynchronize(), cudaSuccess);
  }
  count<<<1, dim3(16, 1, 64)>>>(counter);
  CHECK_EQ(counter.download()[0], 1024);
  RETURN_RESULT();
}

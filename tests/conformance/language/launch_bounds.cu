// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// __launch_bounds__ kernels run up to their bound and refuse larger blocks;
// cudaFuncGetAttributes reports the bound.
#include "check.h"

__global__ void __launch_bounds__(128) bounded(int *out) { atomicAdd(out, 1); }
__global__ void __launch_bounds__(256, 2) boundedTwice(int *out) { atomicAdd(out, 1); }

int main() {
  DeviceBuffer<int> out(1);
  bounded<<<2, 128>>>(out);
  boundedTwice<<<1, 256>>>(out);
  CHECK_EQ(out.download()[0], 512);
  cudaFuncAttributes attributes;
  CHECK_CUDA(cudaFuncGetAttributes(&attributes, bounded));
  CHECK_EQ(attributes.maxThreadsPerBlock, 128);
  bounded<<<1, 256>>>(out);
  const cudaError_t error = cudaGetLastError();
  CHECK(error == cudaErrorInvalidValue || error == cudaErrorLaunchOutOfResources);
  CHECK_EQ(out.download()[0], 512);
  RETURN_RESULT();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Things that are no kernels, given where a kernel is due.
#include "check.h"

#if CUDART_VERSION >= 13000
const cudaError_t expected = cudaErrorInvalidResourceHandle;
#else
const cudaError_t expected = cudaErrorInvalidDeviceFunction;
#endif

static void hostFunction() {}

__global__ void kernel() {}

int main() {
  void *none[1] = {nullptr};
  CHECK_EQ(cudaLaunchKernel((const void *)hostFunction, dim3(1), dim3(1), none, 0, 0), expected);
  CHECK_EQ(cudaGetLastError(), expected);
  cudaFuncAttributes attributes;
  CHECK_EQ(cudaFuncGetAttributes(&attributes, (const void *)hostFunction), expected);
  int blocks = 0;
  CHECK_EQ(
      cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, (const void *)hostFunction, 32, 0),
      expected);
  (void)cudaGetLastError();
  CHECK_CUDA(cudaLaunchKernel((const void *)kernel, dim3(1), dim3(1), nullptr, 0, 0));
  CHECK_CUDA(cudaDeviceSynchronize());
  RETURN_RESULT();
}

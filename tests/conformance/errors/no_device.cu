// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A machine without a device: the count is 0 with cudaErrorNoDevice, and so is all else.
// env: CUDA_VISIBLE_DEVICES= HEDDLE_DEVICES=0
#include "check.h"

__global__ void nothing() {}

int main() {
  int count = -1;
  CHECK_EQ(cudaGetDeviceCount(&count), cudaErrorNoDevice);
#if CUDART_VERSION < 13000 // which leaves the count as it was
  CHECK_EQ(count, 0);
#endif
  CHECK_EQ(cudaGetLastError(), cudaErrorNoDevice);
  void *memory = nullptr;
  CHECK_EQ(cudaMalloc(&memory, 10), cudaErrorNoDevice);
  CHECK_EQ(cudaSetDevice(0), cudaErrorNoDevice);
  (void)cudaGetLastError();
  nothing<<<1, 1>>>();
  CHECK_EQ(cudaGetLastError(), cudaErrorNoDevice);
  RETURN_RESULT();
}

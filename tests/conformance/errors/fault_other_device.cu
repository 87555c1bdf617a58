// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A fault on one device leaves the other usable.
// env: HEDDLE_DEVICES=2
// hardware: skip needs two devices
#include "check.h"

__global__ void writeTo(int *p) { *p = 7; }

int main() {
  int *memory, value = 0;
  CHECK_CUDA(cudaSetDevice(1));
  CHECK_CUDA(cudaMalloc(&memory, sizeof(int)));
  CHECK_CUDA(cudaSetDevice(0));
  writeTo<<<1, 1>>>(nullptr);
  CHECK_EQ(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
  CHECK_CUDA(cudaSetDevice(1));
  (void)cudaGetLastError();
  CHECK_CUDA(cudaDeviceSynchronize());
  writeTo<<<1, 1>>>(memory);
  CHECK_CUDA(cudaMemcpy(&value, memory, sizeof value, cudaMemcpyDeviceToHost));
  CHECK_EQ(value, 7);
  CHECK_CUDA(cudaFree(memory));
  CHECK_CUDA(cudaSetDevice(0));
  CHECK_EQ(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
  RETURN_RESULT();
}

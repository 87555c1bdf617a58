// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cudaDeviceReset after a fault: the device can be used again, with its variables as at the start.
// hardware: skip an H200 refuses work after a fault even when reset (46); Heddle recovers
#include "check.h"

__device__ int counter = 3;

__global__ void advance(int *p) {
  ++counter;
  if (p)
    *p = counter;
}

__global__ void writeTo(int *p) { *p = 1; }

int main() {
  advance<<<1, 1>>>(nullptr);
  CHECK_CUDA(cudaDeviceSynchronize());
  writeTo<<<1, 1>>>(nullptr);
  CHECK_EQ(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
  (void)cudaDeviceReset(); // may say once more why
  (void)cudaGetLastError();
  int *memory, value = 0;
  CHECK_CUDA(cudaMalloc(&memory, sizeof(int)));
  advance<<<1, 1>>>(memory);
  CHECK_CUDA(cudaMemcpy(&value, memory, sizeof value, cudaMemcpyDeviceToHost));
  CHECK_EQ(value, 4);
  CHECK_CUDA(cudaFree(memory));
  RETURN_RESULT();
}

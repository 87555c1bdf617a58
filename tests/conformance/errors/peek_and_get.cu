// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cudaPeekAtLastError leaves the error, cudaGetLastError clears it; calls that succeed do neither;
// the newest error counts.
#include "check.h"

__global__ void nothing() {}

int main() {
  void *memory = nullptr;
  CHECK_EQ(cudaGetLastError(), cudaSuccess);
  CHECK_EQ(cudaSetDevice(-5), cudaErrorInvalidDevice);
  CHECK_EQ(cudaPeekAtLastError(), cudaErrorInvalidDevice);
  CHECK_EQ(cudaPeekAtLastError(), cudaErrorInvalidDevice);
  CHECK_CUDA(cudaMalloc(&memory, 10)); // succeeds, and the error stays
  CHECK_CUDA(cudaFree(memory));
  CHECK_EQ(cudaPeekAtLastError(), cudaErrorInvalidDevice);
  CHECK_EQ(cudaMalloc(&memory, size_t(1) << 60), cudaErrorMemoryAllocation);
  CHECK_EQ(cudaPeekAtLastError(), cudaErrorMemoryAllocation);
  CHECK_EQ(cudaGetLastError(), cudaErrorMemoryAllocation);
  CHECK_EQ(cudaGetLastError(), cudaSuccess);
  CHECK_EQ(cudaPeekAtLastError(), cudaSuccess);
  nothing<<<1, 4096>>>();
  CHECK(cudaPeekAtLastError() != cudaSuccess);
  CHECK_EQ(cudaDeviceSynchronize(), cudaSuccess); // a refused launch is no fault of the device
  CHECK(cudaGetLastError() != cudaSuccess);
  RETURN_RESULT();
}

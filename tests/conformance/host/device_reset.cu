// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cudaDeviceReset: memory is freed, variables on the device have their initial values again, and
// the device can be used as before.
#include "check.h"

__device__ int counter = 5;
__constant__ int step = 1;

__global__ void advance() { counter += step; }

static int read() {
  int value = -1;
  CHECK_CUDA(cudaMemcpyFromSymbol(&value, counter, sizeof value));
  return value;
}

int main() {
  const int ten = 10;
  CHECK_CUDA(cudaMemcpyToSymbol(step, &ten, sizeof ten));
  advance<<<1, 1>>>();
  CHECK_EQ(read(), 15);
  void *memory = nullptr;
  size_t during = 0, after = 0, total = 0;
  CHECK_CUDA(cudaMalloc(&memory, 256 << 20));
  CHECK_CUDA(cudaMemGetInfo(&during, &total));
  CHECK_CUDA(cudaDeviceReset());
  CHECK_CUDA(cudaMemGetInfo(&after, &total));
  CHECK(after > during);
  CHECK_EQ(read(), 5);
  advance<<<1, 1>>>();
  CHECK_EQ(read(), 6);
  RETURN_RESULT();
}

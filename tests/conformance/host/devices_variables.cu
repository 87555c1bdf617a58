// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each device has its own copy of every __device__ and __constant__ variable; a __managed__
// variable is one for all.
// env: HEDDLE_DEVICES=2
// hardware: skip needs two devices
#include "check.h"

__device__ int counter = 10;
__constant__ int step = 1;
__managed__ int total;

__global__ void advance() {
  counter += step;
  atomicAdd(&total, step);
}

int main() {
  void *addresses[2];
  for (int d = 0; d < 2; ++d) {
    CHECK_CUDA(cudaSetDevice(d));
    CHECK_CUDA(cudaGetSymbolAddress(&addresses[d], counter));
    if (d == 1) {
      const int five = 5;
      CHECK_CUDA(cudaMemcpyToSymbol(step, &five, sizeof five));
    }
    for (int i = 0; i <= d; ++i)
      advance<<<1, 1>>>();
    CHECK_CUDA(cudaDeviceSynchronize());
  }
  CHECK(addresses[0] != addresses[1]);
  for (int d = 0; d < 2; ++d) {
    CHECK_CUDA(cudaSetDevice(d));
    int value = -1;
    CHECK_CUDA(cudaMemcpyFromSymbol(&value, counter, sizeof value));
    CHECK_EQ(value, d == 0 ? 11 : 20);
  }
  CHECK_EQ(total, 11);
  RETURN_RESULT();
}

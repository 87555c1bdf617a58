// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A block that waits for the block before it, by an atomic ticket (chained scan): no deadlock
// with many more blocks than fit at once.
#include "check.h"

__device__ unsigned ticket;
__device__ volatile int ready[4096];
__device__ volatile int prefix[4096];

__global__ void chain(int *out) {
  __shared__ unsigned own;
  __shared__ int before;
  if (threadIdx.x == 0) {
    own = atomicAdd(&ticket, 1);
    int sum = 0;
    if (own > 0) {
      while (!ready[own - 1]) {
      }
      __threadfence();
      sum = prefix[own - 1];
    }
    before = sum;
    prefix[own] = sum + int(own % 10);
    __threadfence();
    ready[own] = 1;
  }
  __syncthreads();
  if (threadIdx.x == 33)
    out[own] = before;
}

int main() {
  const int blocks = 4096;
  DeviceBuffer<int> out(blocks);
  chain<<<blocks, 64>>>(out);
  const std::vector<int> result = out.download();
  int sum = 0;
  for (int i = 0; i < blocks; ++i) {
    CHECK_EQ(result[i], sum);
    sum += i % 10;
  }
  RETURN_RESULT();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The last block to finish adds up the partial sums of all, after __threadfence: it must see
// every other block's writes.
#include "check.h"

__device__ unsigned finished;

__global__ void sumAll(const int *in, volatile int *partial, int *total, int n) {
  __shared__ int shared[128];
  __shared__ bool last;
  const int t = threadIdx.x;
  int sum = 0;
  for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x)
    sum += in[i];
  shared[t] = sum;
  for (int stride = 64; stride > 0; stride /= 2) {
    __syncthreads();
    if (t < stride)
      shared[t] += shared[t + stride];
  }
  if (t == 0) {
    partial[blockIdx.x] = shared[0];
    __threadfence();
    last = atomicInc(&finished, gridDim.x - 1) == gridDim.x - 1; // wraps to 0 for the next launch
  }
  __syncthreads();
  if (!last)
    return;
  int own = 0;
  for (int i = t; i < gridDim.x; i += blockDim.x)
    own += partial[i];
  atomicAdd(total, own);
}

int main() {
  const int n = 100000, blocks = 77;
  std::vector<int> values(n);
  int expected = 0;
  for (int i = 0; i < n; ++i)
    expected += values[i] = i % 100;
  DeviceBuffer<int> in(values), partial(blocks), total(1);
  for (int round = 1; round <= 3; ++round) {
    sumAll<<<blocks, 128>>>(in, partial.data(), total, n);
    CHECK_EQ(total.download()[0], round * expected);
  }
  RETURN_RESULT();
}

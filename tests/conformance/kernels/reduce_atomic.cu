// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reduction with one atomic per element, per block and per warp: a lost update changes the exact
// integer sum.
#include "check.h"

__global__ void perElement(const int *in, int *sum, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    atomicAdd(sum, in[i]);
}

__global__ void perBlock(const int *in, int *sum, int n) {
  __shared__ int ofBlock;
  if (threadIdx.x == 0)
    ofBlock = 0;
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    atomicAdd(&ofBlock, in[i]);
  __syncthreads();
  if (threadIdx.x == 0)
    atomicAdd(sum, ofBlock);
}

__global__ void perWarp(const int *in, int *sum, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int value = i < n ? in[i] : 0;
  for (int mask = 16; mask > 0; mask /= 2)
    value += __shfl_xor_sync(0xffffffff, value, mask);
  if (threadIdx.x % 32 == 0)
    atomicAdd(sum, value);
}

int main() {
  const int n = 300007;
  std::vector<int> values(n);
  int expected = 0;
  for (int i = 0; i < n; ++i)
    expected += values[i] = i % 1000 - 300;
  DeviceBuffer<int> in(values), sums(3);
  const int blocks = (n + 255) / 256;
  perElement<<<blocks, 256>>>(in, sums + 0, n);
  perBlock<<<blocks, 256>>>(in, sums + 1, n);
  perWarp<<<blocks, 256>>>(in, sums + 2, n);
  for (int sum : sums.download())
    CHECK_EQ(sum, expected);
  RETURN_RESULT();
}

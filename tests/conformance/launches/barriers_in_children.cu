// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -rdc=true -lcudadevrt
//
// Children with barriers, shuffles and many blocks, launched from kernels with barriers.
#include "../check.h"

__global__ void sum(const int *values, int *total) {
  __shared__ int partial[8];
  int value = values[blockIdx.x * blockDim.x + threadIdx.x];
  for (int distance = 16; distance; distance /= 2)
    value += __shfl_down_sync(0xffffffff, value, distance);
  if (threadIdx.x % 32 == 0)
    partial[threadIdx.x / 32] = value;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int i = 1; i < 8; ++i)
      partial[0] += partial[i];
    atomicAdd(total, partial[0]);
  }
}

__global__ void parent(int *values, int *totals, int blocks) {
  for (int i = threadIdx.x; i < blocks * 256; i += blockDim.x)
    values[blockIdx.x * blocks * 256 + i] = i % 10 + blockIdx.x;
  __syncthreads();
  if (threadIdx.x == 0)
    sum<<<blocks, 256>>>(values + blockIdx.x * blocks * 256, &totals[blockIdx.x]);
  __syncthreads();
}

int main() {
  const int blocks = 40, parents = 6;
  DeviceBuffer<int> values(parents * blocks * 256), totals(parents);
  parent<<<parents, 128>>>(values, totals, blocks);
  const std::vector<int> got = totals.download();
  for (int i = 0; i < parents; ++i)
    CHECK_EQ(got[i], blocks * 256 / 10 * 45 + blocks * 256 * i);
  RETURN_RESULT();
}

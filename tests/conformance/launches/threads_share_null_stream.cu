// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -rdc=true -lcudadevrt
//
// The NULL stream is one for all threads of a block: launches on both sides of a barrier are in
// order, whichever threads they are by.
#include "../check.h"

__global__ void fill(int *values, int value) {
  values[blockIdx.x * blockDim.x + threadIdx.x] = value;
}
__global__ void add(int *sums, const int *values) { sums[threadIdx.x] += values[threadIdx.x] * 10; }

__global__ void parent(int *values, int *sums) {
  for (int round = 1; round <= 3; ++round) {
    if (threadIdx.x == round)
      fill<<<4, 16>>>(values, round);
    __syncthreads();
    if (threadIdx.x == 63 - round)
      add<<<1, 64>>>(sums, values);
    __syncthreads();
  }
}

int main() {
  DeviceBuffer<int> values(64), sums(64);
  parent<<<1, 64>>>(values, sums);
  for (int sum : sums.download())
    CHECK_EQ(sum, 60);
  RETURN_RESULT();
}

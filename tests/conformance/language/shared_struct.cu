// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shared memory holding structures, 2-D arrays and arrays in a device function: address and
// layout of each.
#include "check.h"

struct Cell {
  char tag;
  double value;
  int neighbours[3];
};

__device__ int sumInFunction(int own) {
  __shared__ int values[32]; // one instance for the block, also when declared in a function
  values[threadIdx.x] = own;
  __syncthreads();
  int sum = 0;
  for (int i = 0; i < 32; ++i)
    sum += values[i];
  __syncthreads();
  return sum;
}

__global__ void useStructs(int *out) {
  __shared__ Cell cells[32];
  __shared__ int grid[4][8];
  const int t = threadIdx.x;
  cells[t].tag = char('a' + t % 26);
  cells[t].value = 1.5 * t;
  cells[t].neighbours[2] = t + 1;
  grid[t / 8][t % 8] = t;
  __syncthreads();
  const Cell other = cells[(t + 1) % 32];
  out[t] = other.tag * 10000 + int(2 * other.value) + other.neighbours[2] + grid[t % 4][t / 4] +
           sumInFunction(t) + sumInFunction(1);
}

int main() {
  DeviceBuffer<int> out(32);
  useStructs<<<1, 32>>>(out);
  const std::vector<int> result = out.download();
  for (int t = 0; t < 32; ++t) {
    const int other = (t + 1) % 32;
    CHECK_EQ(result[t],
             ('a' + other % 26) * 10000 + 3 * other + other + 1 + t % 4 * 8 + t / 4 + 496 + 32);
  }
  RETURN_RESULT();
}

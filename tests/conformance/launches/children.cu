// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -rdc=true -lcudadevrt
//
// Each thread of a grid launches a grid of its own; the parent ends when all of them have.
#include "../check.h"

__global__ void child(int *counts, int parent, int size) { atomicAdd(&counts[parent], size); }

__global__ void parent(int *counts) {
  const int me = blockIdx.x * blockDim.x + threadIdx.x;
  child<<<1 + me % 3, 32 + me % 5>>>(counts, me, me % 7);
}

int main() {
  const int blocks = 5, threads = 48;
  DeviceBuffer<int> counts(blocks * threads);
  parent<<<blocks, threads>>>(counts);
  const std::vector<int> got = counts.download();
  for (int i = 0; i < blocks * threads; ++i)
    CHECK_EQ(got[i], (1 + i % 3) * (32 + i % 5) * (i % 7));
  RETURN_RESULT();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A grid-wide barrier made of an atomic counter, with no more blocks than any GPU holds at once:
// every block waits for all others, earlier and later ones.
#include "check.h"

__device__ unsigned arrived;

__device__ void gridBarrier(unsigned generation) {
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(&arrived, 1u);
    while (atomicAdd(&arrived, 0u) < gridDim.x * generation) {
    }
    __threadfence();
  }
  __syncthreads();
}

__global__ void rotate(volatile int *values, int rounds) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
  unsigned generation = 0;
  for (int round = 0; round < rounds; ++round) {
    const int next = values[(i + 37) % n];
    gridBarrier(++generation);
    values[i] = next;
    gridBarrier(++generation);
  }
}

int main() {
  const int blocks = 16, threads = 64, n = blocks * threads, rounds = 5;
  std::vector<int> values(n);
  for (int i = 0; i < n; ++i)
    values[i] = i;
  DeviceBuffer<int> device(values);
  rotate<<<blocks, threads>>>(device.data(), rounds);
  const std::vector<int> result = device.download();
  for (int i = 0; i < n; ++i)
    CHECK_EQ(result[i], (i + 37 * rounds) % n);
  RETURN_RESULT();
}

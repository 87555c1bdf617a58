// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// __syncwarp orders shared memory within a warp: with the full mask in a butterfly without
// shuffles, and with partial masks on both sides of a branch.
#include "check.h"

__global__ void butterfly(int *out) {
  __shared__ volatile int shared[64];
  const int t = threadIdx.x;
  int sum = t;
  for (int mask = 16; mask > 0; mask /= 2) {
    shared[t] = sum;
    __syncwarp();
    sum += shared[t ^ mask];
    __syncwarp();
  }
  out[t] = sum;
}

__global__ void halves(int *out) {
  __shared__ int shared[32];
  const int lane = threadIdx.x;
  shared[lane] = -1;
  __syncwarp();
  if (lane < 16) {
    shared[lane] = lane;
    __syncwarp(0x0000ffff);
    out[lane] = shared[15 - lane];
  } else {
    for (int round = 0; round < 3; ++round) {
      shared[lane] = lane * (round + 1);
      __syncwarp(0xffff0000);
      out[lane] = shared[16 + (lane + 1) % 16];
      __syncwarp(0xffff0000);
    }
  }
}

int main() {
  DeviceBuffer<int> sums(64), out(32);
  butterfly<<<1, 64>>>(sums);
  halves<<<1, 32>>>(out);
  const std::vector<int> total = sums.download(), result = out.download();
  for (int t = 0; t < 64; ++t)
    CHECK_EQ(total[t], t < 32 ? 496 : 496 + 32 * 32);
  for (int lane = 0; lane < 32; ++lane)
    CHECK_EQ(result[lane], lane < 16 ? 15 - lane : 3 * (16 + (lane + 1) % 16));
  RETURN_RESULT();
}

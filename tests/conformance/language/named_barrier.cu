// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Named barriers by inline PTX (bar.sync and bar.arrive with a number and a thread count)
// synchronise producers and consumers of one block.
#include "check.h"

__global__ void produceAndConsume(int *out) {
  __shared__ int buffer[32];
  const int t = threadIdx.x, rounds = 5;
  if (t < 32) { // the producing warp
    for (int round = 0; round < rounds; ++round) {
      buffer[t] = round * 100 + t;
      asm volatile("bar.sync 1, 64;" ::: "memory"); // full
      asm volatile("bar.sync 2, 64;" ::: "memory"); // empty
    }
  } else {
    int sum = 0;
    for (int round = 0; round < rounds; ++round) {
      asm volatile("bar.sync 1, 64;" ::: "memory");
      sum += buffer[63 - t];
      asm volatile("bar.sync 2, 64;" ::: "memory");
    }
    out[t - 32] = sum;
  }
}

int main() {
  DeviceBuffer<int> out(32);
  produceAndConsume<<<1, 64>>>(out);
  const std::vector<int> result = out.download();
  for (int i = 0; i < 32; ++i)
    CHECK_EQ(result[i], 5 * (31 - i) + 1000);
  RETURN_RESULT();
}

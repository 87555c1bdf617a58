// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// bar.arrive: a producing warp announces a buffer and goes on without waiting; only the consumer
// waits.
#include "check.h"

__global__ void produceAndConsume(int *out) {
  __shared__ int buffer[32];
  const int t = threadIdx.x;
  if (t < 32) {
    buffer[t] = 100 + t;
    __threadfence_block();
    asm volatile("bar.arrive 3, 64;" ::: "memory");
    out[32 + t] = t; // not held up by the consumer, which waits for more below
  } else {
    asm volatile("bar.sync 3, 64;" ::: "memory");
    out[t - 32] = buffer[63 - t];
  }
}

int main() {
  DeviceBuffer<int> out(64);
  produceAndConsume<<<1, 64>>>(out);
  const std::vector<int> result = out.download();
  for (int i = 0; i < 32; ++i) {
    CHECK_EQ(result[i], 131 - i);
    CHECK_EQ(result[32 + i], i);
  }
  RETURN_RESULT();
}

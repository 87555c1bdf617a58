// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A spin lock between the lanes of one warp: with independent thread scheduling the lane that
// holds the lock makes progress while others spin.
#include "check.h"

__device__ int mutex;

__global__ void countAll(volatile int *counter) {
  bool done = false;
  while (!done) {
    if (atomicCAS(&mutex, 0, 1) == 0) {
      __threadfence();
      *counter = *counter + 1;
      __threadfence();
      atomicExch(&mutex, 0);
      done = true;
    }
  }
}

int main() {
  DeviceBuffer<int> counter(1);
  countAll<<<2, 64>>>(counter.data());
  CHECK_EQ(counter.download()[0], 128);
  RETURN_RESULT();
}

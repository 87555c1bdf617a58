// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The spin lock in its naive form between the lanes of one warp: lanes that spin must let the
// lane that left the loop go on and release the lock.
#include "check.h"

__device__ int mutex;

__global__ void countAll(volatile int *counter) {
  while (atomicCAS(&mutex, 0, 1) != 0) {
  }
  __threadfence();
  *counter = *counter + 1;
  __threadfence();
  atomicExch(&mutex, 0);
}

int main() {
  DeviceBuffer<int> counter(1);
  countAll<<<2, 64>>>(counter.data());
  CHECK_EQ(counter.download()[0], 128);
  RETURN_RESULT();
}

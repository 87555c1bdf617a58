// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An atomicCAS spin lock taken by thread 0 of each block, with __threadfence: no hang and no
// lost update in a plain counter.
#include "check.h"

__device__ void lock(int *mutex) {
  while (atomicCAS(mutex, 0, 1) != 0) {
  }
  __threadfence();
}

__device__ void unlock(int *mutex) {
  __threadfence();
  atomicExch(mutex, 0);
}

__global__ void countBlocks(int *mutex, volatile int *counter) {
  __shared__ int before;
  if (threadIdx.x == 0) {
    lock(mutex);
    before = *counter;
    *counter = before + 1;
    unlock(mutex);
  }
  __syncthreads();
  if (threadIdx.x == 1)
    counter[1 + before] = blockIdx.x + 1;
}

int main() {
  const int blocks = 500;
  DeviceBuffer<int> mutex(1), counter(1 + blocks);
  countBlocks<<<blocks, 64>>>(mutex, counter.data());
  const std::vector<int> result = counter.download();
  CHECK_EQ(result[0], blocks);
  long long sum = 0;
  for (int i = 1; i <= blocks; ++i)
    sum += result[i];
  CHECK_EQ(sum, blocks * (blocks + 1LL) / 2); // each block held the lock once
  RETURN_RESULT();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks that hand values to each other: a chain of flags, a ticket, a lock, and a queue.
#include "check.h"

const int blocks = 12, threads = 64;

__global__ void chain(int *data, volatile int *flags) {
  if (threadIdx.x == 0) {
    if (blockIdx.x > 0)
      while (flags[blockIdx.x - 1] == 0) {
      }
    __threadfence();
    data[blockIdx.x] = 1 + (blockIdx.x > 0 ? data[blockIdx.x - 1] : 0);
    __threadfence();
    flags[blockIdx.x] = 1;
  }
}

__global__ void lastAddsUp(int *partial, unsigned *tickets, int *total) {
  __shared__ bool is_last;
  partial[blockIdx.x * threads + threadIdx.x] = threadIdx.x;
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0)
    is_last = atomicAdd(tickets, 1) == blocks - 1;
  __syncthreads();
  if (is_last) {
    int sum = 0;
    for (int i = 0; i < blocks; ++i)
      sum += partial[i * threads + threadIdx.x];
    atomicAdd(total, sum);
  }
}

__global__ void underLock(int *lock, int *sum) {
  if (threadIdx.x == 0) {
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    __threadfence();
    *sum += blockIdx.x;
    __threadfence();
    atomicExch(lock, 0);
  }
}

// Of each pair of blocks the first one fills, the second one empties.
__global__ void queue(int *slots, unsigned *filled, int *out) {
  const int pair = blockIdx.x / 2;
  if (blockIdx.x % 2 == 0) {
    slots[pair * threads + threadIdx.x] = 10 * pair + threadIdx.x;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0)
      atomicAdd(&filled[pair], 1);
  } else {
    if (threadIdx.x == 0) {
      while (atomicAdd(&filled[pair], 0) == 0) {
      }
      __threadfence();
    }
    __syncthreads();
    out[pair * threads + threadIdx.x] = slots[pair * threads + threads - 1 - threadIdx.x];
  }
}

int main() {
  DeviceBuffer<int> data(blocks), flags(blocks), partial(blocks * threads), total(1), lock(1),
      sum(1);
  DeviceBuffer<unsigned> tickets(1), filled(blocks / 2);
  DeviceBuffer<int> slots(blocks / 2 * threads), out(blocks / 2 * threads);
  chain<<<blocks, threads>>>(data, flags);
  CHECK_EQ(data.download()[blocks - 1], blocks);
  lastAddsUp<<<blocks, threads>>>(partial, tickets, total);
  CHECK_EQ(total.download()[0], blocks * threads * (threads - 1) / 2);
  underLock<<<blocks, threads>>>(lock, sum);
  CHECK_EQ(sum.download()[0], blocks * (blocks - 1) / 2);
  queue<<<blocks, threads>>>(slots, filled, out);
  const auto result = out.download();
  for (int i = 0; i < blocks / 2 * threads; ++i)
    CHECK_EQ(result[i], 10 * (i / threads) + threads - 1 - i % threads);
  RETURN_RESULT();
}

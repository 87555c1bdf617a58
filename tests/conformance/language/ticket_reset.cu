// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The last block resets the counter that all have taken a ticket from, without a fence: every other
// block is done with it. Tickets by atomicInc, by atomicDec, and by a loop around a
// compare-and-swap that reads the counter first.
#include "check.h"

struct ByInc {
  __device__ unsigned operator()(unsigned *count) const { return atomicInc(count, gridDim.x); }
};
struct ByDec { // counts down from the bound
  __device__ unsigned operator()(unsigned *count) const {
    return (gridDim.x + 1 - atomicDec(count, gridDim.x)) % (gridDim.x + 1);
  }
};
struct ByLoop {
  __device__ unsigned operator()(unsigned *count) const {
    unsigned old = *static_cast<volatile unsigned *>(count), assumed;
    do {
      assumed = old;
      old = atomicCAS(count, assumed, assumed + 1);
    } while (old != assumed);
    return old;
  }
};

template <typename Ticket>
__global__ void sumAll(unsigned *count, int *partial, int *total, Ticket ticket) {
  __shared__ bool last;
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = int(blockIdx.x) + 1;
    __threadfence();
    last = ticket(count) == gridDim.x - 1;
  }
  __syncthreads();
  if (!last)
    return;
  for (unsigned i = threadIdx.x; i < gridDim.x; i += blockDim.x)
    atomicAdd(total, partial[i]);
  if (threadIdx.x == 0)
    *count = 0;
}

template <typename Ticket> void run(Ticket ticket) {
  const int blocks = 37;
  DeviceBuffer<unsigned> count(1);
  DeviceBuffer<int> partial(blocks), total(1);
  for (int round = 1; round <= 3; ++round) {
    sumAll<<<blocks, 64>>>(count.data(), partial.data(), total.data(), ticket);
    CHECK_EQ(total.download()[0], round * blocks * (blocks + 1) / 2);
    CHECK_EQ(count.download()[0], 0u);
  }
}

int main() {
  run(ByInc{});
  run(ByDec{});
  run(ByLoop{});
  RETURN_RESULT();
}

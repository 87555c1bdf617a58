// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Barriers in shared memory by inline PTX: phases, states, parities, arrivals that are fewer from
// one phase to the next, bytes to come (PTX ISA, "mbarrier").
// flags: -arch=sm_90
// env: HEDDLE_GPU=h200
#include "check.h"

typedef unsigned long long State;

__device__ unsigned addressOf(const void *shared) {
  return static_cast<unsigned>(__cvta_generic_to_shared(shared));
}
__device__ void init(State *barrier, unsigned count) {
  asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(addressOf(barrier)), "r"(count)
               : "memory");
}
__device__ State arrive(State *barrier) {
  State state;
  asm volatile("mbarrier.arrive.shared.b64 %0, [%1];"
               : "=l"(state)
               : "r"(addressOf(barrier))
               : "memory");
  return state;
}
__device__ bool test(State *barrier, State state) {
  unsigned over;
  asm volatile("{ .reg .pred p;\n"
               "  mbarrier.test_wait.shared.b64 p, [%1], %2;\n"
               "  selp.u32 %0, 1, 0, p; }"
               : "=r"(over)
               : "r"(addressOf(barrier)), "l"(state)
               : "memory");
  return over != 0;
}
__device__ void waitFor(State *barrier, unsigned parity) {
  asm volatile("{ .reg .pred done;\n"
               "WAIT_%=:\n"
               "  mbarrier.try_wait.parity.acquire.cta.shared::cta.b64 done, [%0], %1;\n"
               "  @done bra.uni DONE_%=;\n"
               "  bra.uni WAIT_%=;\n"
               "DONE_%=: }"
               :
               : "r"(addressOf(barrier)), "r"(parity)
               : "memory");
}

// Each round all threads write, wait, and read what a thread of another warp has written.
__global__ void rounds(unsigned *out, int count) {
  alignas(8) __shared__ State barrier;
  __shared__ unsigned values[256];
  const unsigned me = threadIdx.x, n = blockDim.x;
  if (me == 0)
    init(&barrier, n);
  __syncthreads();
  unsigned sum = 0;
  for (int i = 0; i < count; ++i) {
    values[me] = me * 3 + i;
    State state = arrive(&barrier);
    while (!test(&barrier, state)) {
    }
    sum += values[(me + 45) % n];
    arrive(&barrier); // the phase in between
    waitFor(&barrier, 1);
  }
  out[blockIdx.x * n + me] = sum;
}

// One warp makes what three others use, through two buffers.
__global__ void producer(unsigned *out, int count) {
  alignas(8) __shared__ State full[2], empty[2];
  __shared__ unsigned buffer[2][32];
  const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  if (threadIdx.x == 0)
    for (int i = 0; i < 2; ++i) {
      init(&full[i], 32);
      init(&empty[i], 96);
    }
  __syncthreads();
  unsigned sum = 0;
  for (int i = 0; i < count; ++i) {
    const int slot = i % 2;
    const unsigned parity = i / 2 % 2;
    if (warp == 0) {
      waitFor(&empty[slot], parity ^ 1);
      buffer[slot][lane] = i * 100 + lane;
      arrive(&full[slot]);
    } else {
      waitFor(&full[slot], parity);
      sum += buffer[slot][(lane + warp) % 32] * warp;
      arrive(&empty[slot]);
    }
  }
  out[threadIdx.x] = sum;
}

__global__ void details(unsigned *out) {
  alignas(8) __shared__ State barrier;
  if (threadIdx.x != 0)
    return;
  unsigned pending, at = 0;
  State state;
  // Of four arrivals, three at once; the count before is part of the state.
  init(&barrier, 4);
  asm volatile("mbarrier.arrive.noComplete.shared.b64 %0, [%1], 3;"
               : "=l"(state)
               : "r"(addressOf(&barrier))
               : "memory");
  asm volatile("mbarrier.pending_count.b64 %0, %1;" : "=r"(pending) : "l"(state));
  out[at++] = pending; // 4
  out[at++] = test(&barrier, state);
  // A thread that drops out is not waited for again.
  asm volatile("mbarrier.arrive_drop.shared.b64 %0, [%1];"
               : "=l"(state)
               : "r"(addressOf(&barrier))
               : "memory");
  out[at++] = test(&barrier, state); // the phase is over
  for (int i = 0; i < 3; ++i) {
    state = arrive(&barrier);
    out[at++] = test(&barrier, state); // 0 0 1
  }
  // Bytes: the phase ends when the arrivals and the bytes have come.
  init(&barrier, 1);
  asm volatile("mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 %0, [%1], 48;"
               : "=l"(state)
               : "r"(addressOf(&barrier))
               : "memory");
  out[at++] = test(&barrier, state);
  asm volatile("mbarrier.complete_tx.relaxed.cluster.shared::cluster.b64 [%0], 40;" ::"r"(
                   addressOf(&barrier))
               : "memory");
  out[at++] = test(&barrier, state);
  asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], 4;\n\t"
               "mbarrier.complete_tx.relaxed.cluster.shared::cluster.b64 [%0], 12;" ::"r"(
                   addressOf(&barrier))
               : "memory");
  out[at++] = test(&barrier, state);
  asm volatile("mbarrier.inval.shared.b64 [%0];" ::"r"(addressOf(&barrier)) : "memory");
}

int main() {
  const int threads = 256, count = 7;
  DeviceBuffer<unsigned> out(3 * threads);
  rounds<<<3, threads>>>(out, count);
  std::vector<unsigned> got = out.download();
  for (int i = 0; i < 3 * threads; ++i) {
    const unsigned other = (i % threads + 45) % threads;
    CHECK_EQ(got[i], other * 3 * count + count * (count - 1) / 2);
  }
  producer<<<1, 128>>>(out, 9);
  got = out.download();
  for (unsigned thread = 32; thread < 128; ++thread) {
    const unsigned warp = thread / 32, lane = thread % 32;
    unsigned sum = 0;
    for (unsigned i = 0; i < 9; ++i)
      sum += (i * 100 + (lane + warp) % 32) * warp;
    CHECK_EQ(got[thread], sum);
  }
  details<<<1, 32>>>(out);
  got = out.download();
  const unsigned expected[] = {4, 0, 1, 0, 0, 1, 0, 0, 1};
  for (int i = 0; i < 9; ++i)
    CHECK_EQ(got[i], expected[i]);
  RETURN_RESULT();
}

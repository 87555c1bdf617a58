// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies of many bytes by one thread, to and from shared memory, a barrier that counts them, and
// reductions on the way (PTX ISA, "cp.async.bulk", "cp.reduce.async.bulk", "st.async",
// "red.async").
// flags: -arch=sm_90
// env: HEDDLE_GPU=h200
#include "check.h"

__device__ unsigned addressOf(const void *shared) {
  return static_cast<unsigned>(__cvta_generic_to_shared(shared));
}
__device__ void waitFor(unsigned long long *barrier, unsigned parity) {
  asm volatile("{ .reg .pred done;\n"
               "WAIT:\n"
               "  mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
               "  @!done bra WAIT; }"
               :
               : "r"(addressOf(barrier)), "r"(parity)
               : "memory");
}

__global__ void there_and_back(const unsigned *in, unsigned *out, unsigned *sums) {
  alignas(16) __shared__ unsigned from[256], to[256];
  alignas(8) __shared__ unsigned long long barrier;
  const unsigned i = threadIdx.x;
  if (i == 0) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;\n\t"
                 "fence.mbarrier_init.release.cluster;\n\t"
                 "fence.proxy.async;" ::"r"(addressOf(&barrier))
                 : "memory");
    unsigned long long state;
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 %0, [%1], 1024;"
                 : "=l"(state)
                 : "r"(addressOf(&barrier))
                 : "memory");
    asm volatile(
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 1024, "
        "[%2];" ::"r"(addressOf(from)),
        "l"(in), "r"(addressOf(&barrier))
        : "memory");
  }
  __syncthreads();
  waitFor(&barrier, 0);
  to[i] = from[255 - i] + 1;
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  if (i == 0) {
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 1024;" ::"l"(out),
                 "r"(addressOf(to))
                 : "memory");
    asm volatile(
        "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%0], [%1], %2;" ::"l"(sums),
        "r"(addressOf(to)), "r"(512)
        : "memory");
    asm volatile("cp.async.bulk.commit_group;\n\tcp.async.bulk.wait_group 0;" ::: "memory");
  }
}

// Values sent one by one, each counted by the barrier of the block that gets them. The block sends
// to itself, but an H200 takes st.async in clusters of at least two blocks only.
__global__ void __cluster_dims__(2, 1, 1) sent(unsigned *out) {
  alignas(8) __shared__ unsigned long long barrier;
  alignas(16) __shared__ unsigned place[64 + 2];
  const unsigned i = threadIdx.x;
  if (i == 0) {
    place[64] = 5;
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(addressOf(&barrier)) : "memory");
  }
  __syncthreads();
  asm volatile("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v2.u32 [%0], {%1, %2}, "
               "[%3];" ::"r"(addressOf(place + 2 * i)),
               "r"(i * 10), "r"(i * 10 + 5), "r"(addressOf(&barrier))
               : "memory");
  asm volatile("red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 "
               "[%0], %1, [%2];" ::"r"(addressOf(place + 64)),
               "r"(i), "r"(addressOf(&barrier))
               : "memory");
  if (i == 0) {
    unsigned long long state;
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 %0, [%1], 384;"
                 : "=l"(state)
                 : "r"(addressOf(&barrier))
                 : "memory");
  }
  waitFor(&barrier, 0);
  if (blockIdx.x != 0)
    return;
  out[i] = place[i];
  out[i + 32] = place[i + 32];
  out[64] = place[64];
}

int main() {
  std::vector<unsigned> numbers(256);
  for (size_t i = 0; i < numbers.size(); ++i)
    numbers[i] = unsigned(i * 40503u + 7);
  DeviceBuffer<unsigned> in(numbers), out(256), sums(std::vector<unsigned>(256, 1000));
  there_and_back<<<1, 256>>>(in, out, sums);
  std::vector<unsigned> got = out.download(), added = sums.download();
  for (int i = 0; i < 256; ++i) {
    CHECK_EQ(got[i], numbers[255 - i] + 1);
    CHECK_EQ(added[i], i < 128 ? numbers[255 - i] + 1001 : 1000);
  }
  sent<<<2, 32>>>(out);
  got = out.download();
  for (unsigned i = 0; i < 64; ++i)
    CHECK_EQ(got[i], i / 2 * 10 + i % 2 * 5);
  CHECK_EQ(got[64], 5u + 31 * 32 / 2);
  RETURN_RESULT();
}

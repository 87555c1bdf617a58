// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One block copies to all blocks of its cluster, whose barriers learn of it; and blocks arrive at
// each other's barriers (PTX ISA, "cp.async.bulk", "mapa", "mbarrier.arrive").
// flags: -arch=sm_90
// env: HEDDLE_GPU=h200
#include "check.h"

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__device__ unsigned addressOf(const void *shared) {
  return static_cast<unsigned>(__cvta_generic_to_shared(shared));
}
__device__ void waitFor(unsigned long long *barrier, unsigned parity) {
  asm volatile("{ .reg .pred done;\n"
               "WAIT:\n"
               "  mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 done, [%0], %1;\n"
               "  @!done bra WAIT; }"
               :
               : "r"(addressOf(barrier)), "r"(parity)
               : "memory");
}

__global__ void __cluster_dims__(4, 1, 1) spread(const unsigned *in, unsigned *out) {
  alignas(128) __shared__ unsigned tile[4][64];
  alignas(8) __shared__ unsigned long long full, ready;
  cg::cluster_group cluster = cg::this_cluster();
  const unsigned i = threadIdx.x, rank = cluster.block_rank();
  if (i == 0) {
    unsigned long long state;
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(addressOf(&full)) : "memory");
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 4;" ::"r"(addressOf(&ready)) : "memory");
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 %0, [%1], 1024;"
                 : "=l"(state)
                 : "r"(addressOf(&full))
                 : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  cluster.sync();
  if (i == 0) // this block's piece, to all
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes"
                 ".multicast::cluster [%0], [%1], 256, [%2], %3;" ::"r"(addressOf(tile[rank])),
                 "l"(in + blockIdx.x * 64), "r"(addressOf(&full)), "h"((unsigned short)0xf)
                 : "memory");
  waitFor(&full, 0);
  unsigned sum = 0;
  for (int k = 0; k < 4; ++k)
    sum = sum * 3 + tile[k][i];
  // All tell the block of rank 0 that they have come.
  if (i == 0) {
    unsigned there;
    asm("mapa.shared::cluster.u32 %0, %1, 0;" : "=r"(there) : "r"(addressOf(&ready)));
    asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(there)
                 : "memory");
  }
  if (rank == 0)
    waitFor(&ready, 0);
  out[blockIdx.x * 64 + i] = sum;
  cluster.sync();
}

int main() {
  std::vector<unsigned> numbers(8 * 64);
  for (size_t i = 0; i < numbers.size(); ++i)
    numbers[i] = unsigned(i * 40503u + 11);
  DeviceBuffer<unsigned> in(numbers), out(8 * 64);
  spread<<<8, 64>>>(in, out);
  const std::vector<unsigned> got = out.download();
  for (size_t i = 0; i < got.size(); ++i) {
    unsigned sum = 0;
    for (size_t k = 0; k < 4; ++k)
      sum = sum * 3 + numbers[i / 256 * 256 + k * 64 + i % 64];
    CHECK_EQ(got[i], sum);
  }
  RETURN_RESULT();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks of a cluster that access each other's shared memory.
// flags: -arch=sm_90 -std=c++17
// env: HEDDLE_GPU=h200
#include <cooperative_groups.h>
#include <cstdio>
namespace cg = cooperative_groups;
constexpr int n = 64, blocks = 4;

// Each block's numbers go to the next one.
__global__ void __cluster_dims__(4, 1, 1) ring(int *out) {
  __shared__ int value[n];
  cg::cluster_group cluster = cg::this_cluster();
  int *next = cluster.map_shared_rank(value, (cluster.block_rank() + 1) % 4);
  cluster.sync();
  for (int step = 0; step < 3; ++step) {
    next[threadIdx.x] = blockIdx.x + step;
    cluster.sync();
    out[blockIdx.x * n + threadIdx.x] = value[threadIdx.x];
    cluster.sync();
  }
}
__global__ void __cluster_dims__(4, 1, 1) hasty(int *out) {
  __shared__ int value[n];
  cg::cluster_group cluster = cg::this_cluster();
  int *next = cluster.map_shared_rank(value, (cluster.block_rank() + 1) % 4);
  cluster.sync();
  next[threadIdx.x] = blockIdx.x; // race:a
  __syncthreads();
  out[blockIdx.x * n + threadIdx.x] = value[threadIdx.x]; // race:a
  cluster.sync();
}
// Without a barrier before: the first blocks have only begun.
__global__ void __cluster_dims__(4, 1, 1) early(int *out) {
  __shared__ int value[n];
  cg::cluster_group cluster = cg::this_cluster();
  value[threadIdx.x] = -1; // race:b
  int *next = cluster.map_shared_rank(value, (cluster.block_rank() + 1) % 4);
  next[threadIdx.x] = blockIdx.x; // race:b
  cluster.sync();
  out[blockIdx.x * n + threadIdx.x] = value[threadIdx.x];
  cluster.sync();
}
// All read one block's table, which then changes it.
template <bool waits> __global__ void __cluster_dims__(4, 1, 1) table(int *out) {
  __shared__ int values[n];
  cg::cluster_group cluster = cg::this_cluster();
  values[threadIdx.x] = threadIdx.x;
  cluster.sync();
  const int *first = cluster.map_shared_rank(values, 0);
  int sum = 0;
  for (int i = 0; i < n; ++i)
    sum += first[i]; // race:c
  out[blockIdx.x * n + threadIdx.x] = sum;
  if (waits)
    cluster.sync();
  __syncthreads();
  values[threadIdx.x] = 0; // race:c
  cluster.sync();
}
__global__ void __cluster_dims__(4, 1, 1) count(int *out) {
  __shared__ int counts[n];
  cg::cluster_group cluster = cg::this_cluster();
  counts[threadIdx.x] = 0;
  cluster.sync();
  atomicAdd(cluster.map_shared_rank(counts, threadIdx.x % 4) + blockIdx.x % 2, 1);
  cluster.sync();
  out[blockIdx.x * n + threadIdx.x] = counts[threadIdx.x];
}

// A block whose memory is accessed must still be there.
__global__ void __cluster_dims__(4, 1, 1) leave(int *out) {
  __shared__ int value[n];
  cg::cluster_group cluster = cg::this_cluster();
  value[threadIdx.x] = threadIdx.x;
  cluster.sync();
  out[blockIdx.x * n + threadIdx.x] =
      *cluster.map_shared_rank(&value[threadIdx.x], (cluster.block_rank() + 1) % 4); // race:d
} // race:d
__global__ void __cluster_dims__(4, 1, 1) give(int *out) {
  __shared__ int value[n];
  cg::cluster_group cluster = cg::this_cluster();
  value[threadIdx.x] = 0;
  cluster.sync();
  if (cluster.block_rank() == 0)
    cluster.map_shared_rank(value, 3)[threadIdx.x] = 1; // race:e
} // race:e
// The first block has ended long before.
__global__ void __cluster_dims__(4, 1, 1) leaveFirst(int *out) {
  __shared__ int value[n];
  cg::cluster_group cluster = cg::this_cluster();
  value[threadIdx.x] = threadIdx.x;
  cluster.sync();
  if (cluster.block_rank() != 0) {
    for (int i = 0; i < 100; ++i)
      __syncthreads();
    out[blockIdx.x * n + threadIdx.x] = *cluster.map_shared_rank(&value[threadIdx.x], 0); // race:f
  }
} // race:f
// Between arrival and waiting there is other work.
__global__ void __cluster_dims__(4, 1, 1) parted(int *out) {
  __shared__ int value[n];
  cg::cluster_group cluster = cg::this_cluster();
  value[threadIdx.x] = threadIdx.x;
  cluster.sync();
  out[blockIdx.x * n + threadIdx.x] =
      *cluster.map_shared_rank(&value[threadIdx.x], (cluster.block_rank() + 1) % 4);
  cluster.barrier_arrive();
  out[(blockIdx.x + blocks) * n + threadIdx.x] = 1;
  cluster.barrier_wait();
}
// Threads that have ended have come to a barrier of the cluster.
__global__ void __cluster_dims__(4, 1, 1) endEarly(int *out) {
  __shared__ int value[n];
  cg::cluster_group cluster = cg::this_cluster();
  value[threadIdx.x] = threadIdx.x;
  cluster.sync();
  if (cluster.block_rank() != 0) {
    out[blockIdx.x * n + threadIdx.x] = *cluster.map_shared_rank(&value[threadIdx.x], 0);
    return;
  }
  cluster.sync();
}

// Each thread sends a pair of its own, which a barrier counts; then all store the same.
__device__ unsigned addressOf(const void *p) { return unsigned(__cvta_generic_to_shared(p)); }
__global__ void __cluster_dims__(2, 1, 1) sendAlike(int *out) {
  __shared__ unsigned long long barrier;
  __shared__ int place[64];
  if (threadIdx.x == 0)
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(addressOf(&barrier)) : "memory");
  __syncthreads();
  asm volatile("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v2.u32 [%0], {%1, %2}, "
               "[%3];" ::"r"(addressOf(place + 2 * threadIdx.x)),
               "r"(1), "r"(threadIdx.x), "r"(addressOf(&barrier))
               : "memory");
  if (threadIdx.x == 0)
    asm volatile(
        "{ .reg .b64 state;\n"
        "  mbarrier.arrive.expect_tx.shared::cta.b64 state, [%0], 256; }" ::"r"(addressOf(&barrier))
        : "memory");
  asm volatile("{ .reg .pred done;\n"
               "WAIT:\n"
               "  mbarrier.try_wait.parity.shared::cta.b64 done, [%0], 0;\n"
               "  @!done bra WAIT; }" ::"r"(addressOf(&barrier))
               : "memory");
  if (blockIdx.x == 0)
    *out = 5; // same-value-race:g
}

int main() {
  int *out;
  cudaMalloc(&out, 4 * blocks * n * sizeof(int));
  ring<<<blocks, n>>>(out);
  ring<<<2 * blocks, n>>>(out);
  hasty<<<blocks, n>>>(out);
  early<<<blocks, n>>>(out);
  table<true><<<blocks, n>>>(out);
  table<false><<<blocks, n>>>(out);
  count<<<blocks, n>>>(out);
  leave<<<blocks, n>>>(out);
  give<<<blocks, n>>>(out);
  leaveFirst<<<blocks, n>>>(out);
  parted<<<blocks, n>>>(out);
  endEarly<<<blocks, n>>>(out);
  sendAlike<<<2, 32>>>(out);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("%s\n", cudaGetErrorString(error));
  return error;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks of a cluster read, write and add to each other's shared memory.
// flags: -arch=sm_90
// env: HEDDLE_GPU=h200
#include "check.h"

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

// A histogram whose bins are spread over the blocks of the cluster.
__global__ void histogram(const unsigned *in, int count, int *bins, int bins_each) {
  extern __shared__ int own[];
  cg::cluster_group cluster = cg::this_cluster();
  for (int i = threadIdx.x; i < bins_each; i += blockDim.x)
    own[i] = 0;
  cluster.sync();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
    const unsigned bin = in[i] % (bins_each * cluster.num_blocks());
    int *theirs = cluster.map_shared_rank(own, bin / bins_each);
    atomicAdd(theirs + bin % bins_each, 1);
  }
  cluster.sync();
  for (int i = threadIdx.x; i < bins_each; i += blockDim.x)
    atomicAdd(&bins[cluster.block_rank() * bins_each + i], own[i]);
}

// Each block hands its numbers round the ring of the cluster.
__global__ void __cluster_dims__(4, 1, 1) ring(int *out) {
  __shared__ int value[64];
  cg::cluster_group cluster = cg::this_cluster();
  const int rank = cluster.block_rank(), next = (rank + 1) % cluster.num_blocks();
  int mine = blockIdx.x * 1000 + threadIdx.x;
  for (int step = 0; step < 4; ++step) {
    cluster.map_shared_rank(value, next)[threadIdx.x] = mine + 1;
    cluster.sync();
    mine = value[threadIdx.x];
    cluster.sync();
  }
  out[blockIdx.x * 64 + threadIdx.x] = mine;
}

__global__ void __cluster_dims__(2, 2, 1) places(int *out) {
  __shared__ int here;
  cg::cluster_group cluster = cg::this_cluster();
  const int block = blockIdx.y * gridDim.x + blockIdx.x;
  const unsigned other = cluster.block_rank() ^ 3;
  int wrong = 0;
  wrong |= cluster.dim_blocks().x != 2 || cluster.dim_blocks().y != 2 || cluster.num_blocks() != 4;
  wrong |= (cluster.block_index().x != blockIdx.x % 2) << 1;
  wrong |= (cluster.block_index().y != blockIdx.y % 2) << 2;
  wrong |= (cluster.block_rank() != blockIdx.x % 2 + 2 * (blockIdx.y % 2)) << 3;
  wrong |= (cluster.query_shared_rank(cluster.map_shared_rank(&here, other)) != other) << 4;
  wrong |= (cluster.map_shared_rank(&here, cluster.block_rank()) != &here) << 5;
  wrong |= (cluster.num_threads() != 4 * blockDim.x) << 6;
  wrong |= (cluster.thread_rank() != cluster.block_rank() * blockDim.x + threadIdx.x) << 7;
  unsigned clusters, cluster_x;
  asm("mov.u32 %0, %%nclusterid.x;" : "=r"(clusters));
  asm("mov.u32 %0, %%clusterid.x;" : "=r"(cluster_x));
  wrong |= (clusters != gridDim.x / 2 || cluster_x != blockIdx.x / 2) << 8;
  if (wrong || threadIdx.x == 0)
    out[block] = wrong;
  cluster.sync();
}

int main() {
  std::vector<unsigned> numbers(5000);
  for (size_t i = 0; i < numbers.size(); ++i)
    numbers[i] = unsigned(i * 2654435761u) >> 7;
  DeviceBuffer<unsigned> in(numbers);
  for (unsigned blocks : {1u, 2u, 8u}) {
    const int each = 24;
    DeviceBuffer<int> bins(each * blocks);
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(16);
    config.blockDim = dim3(128);
    config.dynamicSmemBytes = each * sizeof(int);
    cudaLaunchAttribute attribute[1];
    attribute[0].id = cudaLaunchAttributeClusterDimension;
    attribute[0].val.clusterDim.x = blocks;
    attribute[0].val.clusterDim.y = attribute[0].val.clusterDim.z = 1;
    config.attrs = attribute;
    config.numAttrs = 1;
    CHECK_CUDA(cudaLaunchKernelEx(&config, histogram, (const unsigned *)in.data(),
                                  int(numbers.size()), bins.data(), each));
    const std::vector<int> got = bins.download();
    std::vector<int> expected(got.size());
    for (unsigned number : numbers)
      ++expected[number % (each * blocks)];
    for (size_t i = 0; i < got.size(); ++i)
      CHECK_EQ(got[i], expected[i]);
  }

  DeviceBuffer<int> out(12 * 64);
  ring<<<12, 64>>>(out);
  std::vector<int> got = out.download();
  for (int i = 0; i < 12 * 64; ++i)
    CHECK_EQ(got[size_t(i)], i / 64 * 1000 + i % 64 + 4);

  places<<<dim3(4, 6), 96>>>(out);
  got = out.download();
  for (size_t i = 0; i < 24; ++i)
    CHECK_EQ(got[i], 0);
  RETURN_RESULT();
}

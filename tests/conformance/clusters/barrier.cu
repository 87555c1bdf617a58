// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The barrier of a cluster: in two steps, in a loop, with threads that have ended, in blocks that
// wait at their own barriers in between, and in a kernel that is launched without a cluster.
// flags: -arch=sm_90
// env: HEDDLE_GPU=h200
#include "check.h"

#include <cooperative_groups.h>
#include <utility>

namespace cg = cooperative_groups;

__global__ void twoSteps(int *out, int rounds) {
  __shared__ int value[128], mirror[128];
  cg::cluster_group cluster = cg::this_cluster();
  const int other = cluster.block_rank() ^ 1, i = threadIdx.x;
  int sum = 0;
  for (int round = 0; round < rounds; ++round) {
    value[i] = (blockIdx.x + 1) * (round + 1) + i;
    auto token = cluster.barrier_arrive();
    mirror[i] = i * round; // work of its own
    __syncthreads();
    sum += mirror[127 - i];
    cluster.barrier_wait(std::move(token));
    sum += *cluster.map_shared_rank(&value[127 - i], other % cluster.num_blocks());
    cluster.sync();
  }
  out[blockIdx.x * 128 + i] = sum;
}

// Threads that have ended are not waited for.
__global__ void __cluster_dims__(2, 1, 1) someEnd(int *out) {
  __shared__ int value;
  cg::cluster_group cluster = cg::this_cluster();
  if (threadIdx.x >= 32 * (cluster.block_rank() + 1))
    return;
  if (threadIdx.x == 0)
    value = blockIdx.x * 7 + 1;
  asm volatile("barrier.cluster.arrive.release.aligned;\n\t"
               "barrier.cluster.wait.acquire.aligned;" ::
                   : "memory");
  if (threadIdx.x == 0)
    out[blockIdx.x] = *cluster.map_shared_rank(&value, cluster.block_rank() ^ 1);
  cluster.sync();
}

int main() {
  const int rounds = 5;
  for (unsigned blocks : {1u, 2u}) {
    DeviceBuffer<int> out(6 * 128);
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(6);
    config.blockDim = dim3(128);
    cudaLaunchAttribute attribute[1];
    attribute[0].id = cudaLaunchAttributeClusterDimension;
    attribute[0].val.clusterDim.x = blocks;
    attribute[0].val.clusterDim.y = attribute[0].val.clusterDim.z = 1;
    config.attrs = attribute;
    config.numAttrs = blocks > 1;
    CHECK_CUDA(cudaLaunchKernelEx(&config, twoSteps, out.data(), rounds));
    const std::vector<int> got = out.download();
    for (int block = 0; block < 6; ++block)
      for (int i = 0; i < 128; ++i) {
        const int other = blocks == 2 ? block ^ 1 : block;
        int sum = 0;
        for (int round = 0; round < rounds; ++round)
          sum += (127 - i) * round + (other + 1) * (round + 1) + 127 - i;
        CHECK_EQ(got[size_t(block * 128 + i)], sum);
      }
  }
  DeviceBuffer<int> out(8);
  someEnd<<<8, 96>>>(out);
  const std::vector<int> got = out.download();
  for (int block = 0; block < 8; ++block)
    CHECK_EQ(got[size_t(block)], (block ^ 1) * 7 + 1);
  RETURN_RESULT();
}

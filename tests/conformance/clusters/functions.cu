// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions of sm_90_rt.h, which CUB calls by themselves, beside those of cooperative groups.
// flags: -arch=sm_90
// env: HEDDLE_GPU=h100
#include "check.h"

#include <cstdint>

__device__ unsigned rankOf(dim3 place, dim3 size) {
  return place.x + size.x * (place.y + size.y * place.z);
}

// Each block reads what the next one of its cluster has written into its shared memory.
__global__ void __cluster_dims__(2, 2, 1) askNext(int *next, uint3 *clusters, int *wrong) {
  __shared__ int value;
  const unsigned block = rankOf(blockIdx, gridDim);
  if (threadIdx.x == 0)
    value = int(block) * 3 + 1;
  __cluster_barrier_arrive();
  __cluster_barrier_wait();

  const unsigned rank = __clusterRelativeBlockRank(), blocks = __clusterSizeInBlocks();
  const unsigned other = (rank + 1) % blocks;
  const int *place = static_cast<const int *>(__cluster_map_shared_rank(&value, other));
  if (threadIdx.x == 0)
    next[block] = *place;
  if (__cluster_query_shared_rank(place) != other || !__isCtaShared(&value) ||
      !__isClusterShared(&value) || __isClusterShared(next) ||
      rank != rankOf(__clusterRelativeBlockIdx(), __clusterDim()))
    atomicAdd(wrong, 1);
  const dim3 cluster = __clusterIdx(), grid = __clusterGridDimInClusters();
  if (threadIdx.x == 0)
    clusters[block] = make_uint3(rankOf(cluster, grid), rank, grid.x * 100 + grid.y);
  __threadfence_cluster();
  __cluster_barrier_arrive_relaxed();
  __cluster_barrier_wait(); // a block's shared memory stays while others read it
}

int main() {
  const dim3 grid(6, 4);
  DeviceBuffer<int> next(24), wrong(std::vector<int>(1, 0));
  DeviceBuffer<uint3> clusters(24);
  askNext<<<grid, 64>>>(next, clusters, wrong);
  const std::vector<int> got = next.download();
  const std::vector<uint3> places = clusters.download();
  CHECK_EQ(wrong.download()[0], 0);
  for (unsigned y = 0; y < grid.y; ++y)
    for (unsigned x = 0; x < grid.x; ++x) {
      const unsigned block = x + 6 * y, rank = x % 2 + 2 * (y % 2), other = (rank + 1) % 4;
      const unsigned read = (x / 2 * 2 + other % 2) + 6 * (y / 2 * 2 + other / 2);
      CHECK_EQ(got[block], int(read) * 3 + 1);
      CHECK_EQ(places[block].x, x / 2 + 3 * (y / 2));
      CHECK_EQ(places[block].y, rank);
      CHECK_EQ(places[block].z, 302u);
    }
  RETURN_RESULT();
}

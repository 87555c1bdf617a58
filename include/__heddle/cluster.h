// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions of CUDA's sm_90_rt.h about thread block clusters. CUDA's programming guide has
// cooperative groups for them; newer versions of CUB call them by themselves.
#pragma once

#include <__heddle/engine.h>
#include <__heddle/memory.h>
#include <__heddle/sync.h>

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900

__HEDDLE_DEVICE__ void __cluster_barrier_arrive() { __heddle_cluster_arrive(); }
__HEDDLE_DEVICE__ void __cluster_barrier_arrive_relaxed() { __heddle_cluster_arrive(); }
__HEDDLE_DEVICE__ void __cluster_barrier_wait() { __heddle_cluster_wait(); }
__HEDDLE_DEVICE__ void __threadfence_cluster() { __threadfence(); }

__HEDDLE_DEVICE__ dim3 __clusterDim() {
  return dim3(__heddle_cluster_dim(0), __heddle_cluster_dim(1), __heddle_cluster_dim(2));
}
__HEDDLE_DEVICE__ dim3 __clusterRelativeBlockIdx() {
  return dim3(__heddle_cluster_place(0), __heddle_cluster_place(1), __heddle_cluster_place(2));
}
__HEDDLE_DEVICE__ dim3 __clusterGridDimInClusters() {
  const dim3 size = __clusterDim();
  return dim3(gridDim.x / size.x, gridDim.y / size.y, gridDim.z / size.z);
}
__HEDDLE_DEVICE__ dim3 __clusterIdx() {
  const dim3 size = __clusterDim();
  return dim3(blockIdx.x / size.x, blockIdx.y / size.y, blockIdx.z / size.z);
}
__HEDDLE_DEVICE__ unsigned __clusterRelativeBlockRank() { return __heddle_cluster_rank(); }
__HEDDLE_DEVICE__ unsigned __clusterSizeInBlocks() { return __heddle_cluster_blocks(); }

__HEDDLE_DEVICE__ void *__cluster_map_shared_rank(const void *place, unsigned rank) {
  return __heddle_map_shared(static_cast<char *>(const_cast<void *>(place)), rank);
}
__HEDDLE_DEVICE__ unsigned __cluster_query_shared_rank(const void *place) {
  return __heddle_shared_rank(static_cast<const char *>(place));
}

// As isspacep.shared::cluster and isspacep.shared::cta: the block's own shared memory is both.
__HEDDLE_DEVICE__ __attribute__((const)) unsigned __isCtaShared(const void *pointer) {
  return __isShared(pointer);
}
__HEDDLE_DEVICE__ __attribute__((const)) unsigned __isClusterShared(const void *pointer) {
  return __isShared(pointer);
}

#endif

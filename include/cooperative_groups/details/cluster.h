// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cluster_group: the blocks of a thread block cluster, which can access each other's shared memory
// (CUDA C++ Programming Guide, "Cluster Group").
#ifndef HEDDLE_COOPERATIVE_GROUPS_CLUSTER_H
#define HEDDLE_COOPERATIVE_GROUPS_CLUSTER_H

#include "group.h"

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
#define _CG_HAS_CLUSTER_GROUP

namespace cooperative_groups {

class cluster_group : public thread_group {
public:
  typedef details::ArrivalToken arrival_token;

  __HEDDLE_CG_MEMBER__ static void sync() {
    __heddle_cluster_arrive();
    __heddle_cluster_wait();
  }
  __HEDDLE_CG_MEMBER__ static arrival_token barrier_arrive() {
    __heddle_cluster_arrive();
    return arrival_token();
  }
  __HEDDLE_CG_MEMBER__ static void barrier_wait() { __heddle_cluster_wait(); }
  __HEDDLE_CG_MEMBER__ static void barrier_wait(arrival_token &&) { __heddle_cluster_wait(); }

  /// Which block's shared memory the address lies in.
  __HEDDLE_CG_MEMBER__ static unsigned int query_shared_rank(const void *address) {
    return __heddle_shared_rank(static_cast<const char *>(address));
  }
  /// The same variable in the shared memory of another block.
  template <typename T> __HEDDLE_CG_MEMBER__ static T *map_shared_rank(T *address, int rank) {
    return reinterpret_cast<T *>(__heddle_map_shared(
        reinterpret_cast<char *>(const_cast<void *>(static_cast<const volatile void *>(address))),
        unsigned(rank)));
  }

  __HEDDLE_CG_MEMBER__ static dim3 block_index() {
    return dim3(__heddle_cluster_place(0), __heddle_cluster_place(1), __heddle_cluster_place(2));
  }
  __HEDDLE_CG_MEMBER__ static unsigned int block_rank() { return __heddle_cluster_rank(); }
  __HEDDLE_CG_MEMBER__ static dim3 dim_blocks() {
    return dim3(__heddle_cluster_dim(0), __heddle_cluster_dim(1), __heddle_cluster_dim(2));
  }
  __HEDDLE_CG_MEMBER__ static unsigned int num_blocks() { return __heddle_cluster_blocks(); }
  __HEDDLE_CG_MEMBER__ static dim3 thread_index() {
    const dim3 place = block_index();
    return dim3(place.x * blockDim.x + threadIdx.x, place.y * blockDim.y + threadIdx.y,
                place.z * blockDim.z + threadIdx.z);
  }
  __HEDDLE_CG_MEMBER__ static unsigned int thread_rank() {
    return block_rank() * details::blockThreads() + details::rankInBlock();
  }
  __HEDDLE_CG_MEMBER__ static dim3 dim_threads() {
    const dim3 blocks = dim_blocks();
    return dim3(blocks.x * blockDim.x, blocks.y * blockDim.y, blocks.z * blockDim.z);
  }
  __HEDDLE_CG_MEMBER__ static unsigned int num_threads() {
    return num_blocks() * details::blockThreads();
  }
  __HEDDLE_CG_MEMBER__ static unsigned int size() { return num_threads(); }

private:
  friend __device__ cluster_group this_cluster();
  __HEDDLE_CG_MEMBER__ cluster_group() : thread_group(details::GroupKind::cluster) {}
};

__HEDDLE_CG_MEMBER__ cluster_group this_cluster() { return cluster_group(); }

} // namespace cooperative_groups
#endif

#endif

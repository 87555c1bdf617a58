// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// thread_group, the type that any group converts to, and the groups of a whole block and grid.
// (CUDA C++ Programming Guide, "Cooperative Groups", "Group Types".)
#ifndef HEDDLE_COOPERATIVE_GROUPS_GROUP_H
#define HEDDLE_COOPERATIVE_GROUPS_GROUP_H

#include "lanes.h"

#include <__heddle/engine.h>

namespace cooperative_groups {

class thread_group;
class thread_block;
class grid_group;
class coalesced_group;
template <unsigned int Size, typename ParentT> class thread_block_tile;

namespace details {

enum class GroupKind : unsigned { grid, cluster, block, lanes, tile };

/// Makes groups and looks inside them, for the functions that users call.
struct GroupAccess {
  template <typename Group> __HEDDLE_CG_MEMBER__ static unsigned mask(const Group &group);
  __HEDDLE_CG_MEMBER__ static coalesced_group coalesced(unsigned lanes, unsigned rank,
                                                        unsigned size);
  __HEDDLE_CG_MEMBER__ static thread_block_tile<1, void> single();
  __HEDDLE_CG_MEMBER__ static coalesced_group tileOfLanes(const thread_group &parent,
                                                          unsigned tile_size);
  __HEDDLE_CG_MEMBER__ static thread_group tile(const thread_group &parent, unsigned tile_size);
};

/// The barrier of a tile of several warps, of so many threads (large_tile.h).
__HEDDLE_CG__ void syncLargeTile(unsigned size);

/// barrier_arrive gives one of these to barrier_wait.
struct ArrivalToken {};

} // namespace details

// ---- Any group --------------------------------------------------------------------------------

class thread_group {
  friend struct details::GroupAccess;

public:
  __HEDDLE_CG_MEMBER__ unsigned long long num_threads() const;
  __HEDDLE_CG_MEMBER__ unsigned long long size() const { return num_threads(); }
  __HEDDLE_CG_MEMBER__ unsigned long long thread_rank() const;
  __HEDDLE_CG_MEMBER__ void sync() const;

protected:
  __HEDDLE_CG_MEMBER__ explicit thread_group(details::GroupKind group_kind, unsigned lanes = 0,
                                             unsigned rank = 0, unsigned count = 1)
      : kind(group_kind), mask(lanes), meta_rank(rank), meta_size(count) {}

  details::GroupKind kind;
  unsigned mask;                 // the lanes of a group within a warp
  unsigned meta_rank, meta_size; // which of how many groups of the parent this is
};

// ---- A block ----------------------------------------------------------------------------------

class thread_block : public thread_group {
public:
  typedef details::ArrivalToken arrival_token;

  __HEDDLE_CG_MEMBER__ static void sync() { __syncthreads(); }
  // A thread that waits has arrived, so one barrier at the wait is enough.
  __HEDDLE_CG_MEMBER__ arrival_token barrier_arrive() const { return arrival_token(); }
  __HEDDLE_CG_MEMBER__ void barrier_wait(arrival_token &&) const { __syncthreads(); }

  __HEDDLE_CG_MEMBER__ static unsigned int thread_rank() { return details::rankInBlock(); }
  __HEDDLE_CG_MEMBER__ static unsigned int num_threads() { return details::blockThreads(); }
  __HEDDLE_CG_MEMBER__ static unsigned int size() { return num_threads(); }
  __HEDDLE_CG_MEMBER__ static dim3 thread_index() {
    return dim3(threadIdx.x, threadIdx.y, threadIdx.z);
  }
  __HEDDLE_CG_MEMBER__ static dim3 group_index() {
    return dim3(blockIdx.x, blockIdx.y, blockIdx.z);
  }
  __HEDDLE_CG_MEMBER__ static dim3 dim_threads() {
    return dim3(blockDim.x, blockDim.y, blockDim.z);
  }
  __HEDDLE_CG_MEMBER__ static dim3 group_dim() { return dim_threads(); }

private:
  friend __device__ thread_block this_thread_block();
  __HEDDLE_CG_MEMBER__ thread_block() : thread_group(details::GroupKind::block) {}
};

__HEDDLE_CG_MEMBER__ thread_block this_thread_block() { return thread_block(); }

// ---- The grid ---------------------------------------------------------------------------------

/// All threads of the launch. Only a cooperative launch (cudaLaunchCooperativeKernel) can sync.
class grid_group : public thread_group {
public:
  typedef details::ArrivalToken arrival_token;

  __HEDDLE_CG_MEMBER__ bool is_valid() const { return __heddle_is_cooperative() != 0; }
  __HEDDLE_CG_MEMBER__ void sync() const { __heddle_grid_sync(); }
  __HEDDLE_CG_MEMBER__ arrival_token barrier_arrive() const { return arrival_token(); }
  __HEDDLE_CG_MEMBER__ void barrier_wait(arrival_token &&) const { __heddle_grid_sync(); }

  __HEDDLE_CG_MEMBER__ static unsigned long long num_blocks() {
    return (unsigned long long)gridDim.x * gridDim.y * gridDim.z;
  }
  __HEDDLE_CG_MEMBER__ static unsigned long long block_rank() {
    return ((unsigned long long)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  }
  __HEDDLE_CG_MEMBER__ static unsigned long long num_threads() {
    return num_blocks() * details::blockThreads();
  }
  __HEDDLE_CG_MEMBER__ static unsigned long long size() { return num_threads(); }
  __HEDDLE_CG_MEMBER__ static unsigned long long thread_rank() {
    return block_rank() * details::blockThreads() + details::rankInBlock();
  }
  __HEDDLE_CG_MEMBER__ static dim3 thread_index() {
    return dim3(threadIdx.x, threadIdx.y, threadIdx.z);
  }
  __HEDDLE_CG_MEMBER__ static dim3 block_index() {
    return dim3(blockIdx.x, blockIdx.y, blockIdx.z);
  }
  __HEDDLE_CG_MEMBER__ static dim3 dim_threads() {
    return dim3(blockDim.x, blockDim.y, blockDim.z);
  }
  __HEDDLE_CG_MEMBER__ static dim3 dim_blocks() { return dim3(gridDim.x, gridDim.y, gridDim.z); }
  __HEDDLE_CG_MEMBER__ static dim3 group_dim() { return dim_blocks(); }

private:
  friend __device__ grid_group this_grid();
  __HEDDLE_CG_MEMBER__ grid_group() : thread_group(details::GroupKind::grid) {}
};

__HEDDLE_CG_MEMBER__ grid_group this_grid() { return grid_group(); }

/// Launches over several devices were removed from CUDA in version 13; Heddle never had them.
class multi_grid_group;
__attribute__((unavailable("multi-device cooperative launches are not supported by Heddle; CUDA 13 "
                           "removed them"))) __device__ multi_grid_group
this_multi_grid();

// ---- thread_group asks what it is -------------------------------------------------------------

__HEDDLE_CG_MEMBER__ unsigned long long thread_group::num_threads() const {
  return kind == details::GroupKind::grid ? grid_group::num_threads()
         : kind == details::GroupKind::cluster
             ? __heddle_cluster_blocks() * thread_block::num_threads()
         : kind == details::GroupKind::block ? thread_block::num_threads()
         : kind == details::GroupKind::tile  ? mask
                                             : details::countLanes(mask);
}

__HEDDLE_CG_MEMBER__ unsigned long long thread_group::thread_rank() const {
  return kind == details::GroupKind::grid ? grid_group::thread_rank()
         : kind == details::GroupKind::cluster
             ? __heddle_cluster_rank() * thread_block::num_threads() + thread_block::thread_rank()
         : kind == details::GroupKind::block ? thread_block::thread_rank()
         : kind == details::GroupKind::tile  ? details::rankInBlock() & (mask - 1)
                                             : details::countLanes(mask & details::lanesBelowMe());
}

__HEDDLE_CG_MEMBER__ void thread_group::sync() const {
  if (kind == details::GroupKind::grid)
    __heddle_grid_sync();
  else if (kind == details::GroupKind::cluster) {
    __heddle_cluster_arrive();
    __heddle_cluster_wait();
  } else if (kind == details::GroupKind::block)
    __syncthreads();
  else if (kind == details::GroupKind::tile)
    details::syncLargeTile(mask);
  else
    __syncwarp(mask);
}

} // namespace cooperative_groups

#endif

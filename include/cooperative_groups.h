// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cooperative_groups.h: groups of threads as objects, to synchronise and to exchange values
// (CUDA C++ Programming Guide, "Cooperative Groups").
//
//   namespace cg = cooperative_groups;
//   cg::thread_block block = cg::this_thread_block();
//   auto warp = cg::tiled_partition<32>(block);
//   float sum = cg::reduce(warp, value, cg::plus<float>()); // <cooperative_groups/reduce.h>
//
// A group is a value of 16 bytes. Its kind is known to the compiler except for thread_group, which
// any group converts to. Not supported: groups over several devices, which is an error when the
// program is compiled.
#ifndef _COOPERATIVE_GROUPS_H_
#define _COOPERATIVE_GROUPS_H_

#ifndef __CUDACC__
#error "cooperative_groups.h is for CUDA source files (.cu)"
#endif

#include <cuda_runtime.h>

#include "cooperative_groups/details/group.h"

#include "cooperative_groups/details/cluster.h"
#include "cooperative_groups/details/tile.h"

#include "cooperative_groups/details/partition.h"

namespace cooperative_groups {

template <typename Group> __HEDDLE_CG__ void sync(const Group &group) { group.sync(); }

template <typename Group>
__HEDDLE_CG__ auto thread_rank(const Group &group) -> decltype(group.thread_rank()) {
  return group.thread_rank();
}

template <typename Group>
__HEDDLE_CG__ auto group_size(const Group &group) -> decltype(group.num_threads()) {
  return group.num_threads();
}

// ---- How groups are made ----------------------------------------------------------------------

namespace details {

template <typename Group> __HEDDLE_CG_MEMBER__ unsigned GroupAccess::mask(const Group &group) {
  return group.mask;
}

__HEDDLE_CG_MEMBER__ coalesced_group GroupAccess::coalesced(unsigned lanes, unsigned rank,
                                                            unsigned size) {
  return coalesced_group(lanes, rank, size);
}

__HEDDLE_CG_MEMBER__ thread_block_tile<1, void> GroupAccess::single() {
  return thread_block_tile<1, void>(0, 1);
}

__HEDDLE_CG_MEMBER__ coalesced_group GroupAccess::tileOfLanes(const thread_group &parent,
                                                              unsigned tile_size) {
  // A size that is not a power of two up to 32 is a mistake in the program; a GPU stops here, too.
  if (tile_size == 0 || tile_size > 32 || (tile_size & (tile_size - 1)) != 0)
    __trap();
  const unsigned rank = countLanes(parent.mask & lanesBelowMe());
  const unsigned tile = rank / tile_size;
  unsigned lanes = parent.mask;
  for (unsigned below = tile * tile_size; below > 0; --below)
    lanes &= lanes - 1;
  unsigned beyond = lanes;
  for (unsigned count = tile_size; count > 0 && beyond != 0; --count)
    beyond &= beyond - 1;
  return coalesced_group(lanes & ~beyond, tile,
                         (countLanes(parent.mask) + tile_size - 1) / tile_size);
}

__HEDDLE_CG_MEMBER__ thread_group GroupAccess::tile(const thread_group &parent,
                                                    unsigned tile_size) {
  if (parent.kind == GroupKind::grid)
    __trap(); // a grid has no tiles
  if (parent.kind == GroupKind::lanes)
    return tileOfLanes(parent, tile_size);
  // Of a block: the warp's lanes that exist, then a tile of those.
  const unsigned threads_from_warp = blockThreads() - (rankInBlock() & ~31u);
  const unsigned warp = lowestLanes(threads_from_warp);
  return tileOfLanes(coalesced_group(warp, 0, 1), tile_size);
}

} // namespace details
} // namespace cooperative_groups

#endif

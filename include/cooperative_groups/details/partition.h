// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Groups made from groups: tiled_partition, labeled_partition, binary_partition; and invoke_one.
// (CUDA C++ Programming Guide, "Cooperative Groups", "Group Partitioning" and "Execution control".)
#ifndef HEDDLE_COOPERATIVE_GROUPS_PARTITION_H
#define HEDDLE_COOPERATIVE_GROUPS_PARTITION_H

#include "tile.h"

namespace cooperative_groups {

// ---- Tiles ------------------------------------------------------------------------------------

/// Tiles whose size is known to the compiler.
template <unsigned int Size, typename ParentT>
__HEDDLE_CG__ thread_block_tile<Size, ParentT> tiled_partition(const ParentT &parent) {
  return thread_block_tile<Size, ParentT>(parent);
}

/// Tiles of consecutive ranks of a coalesced group. The last one may be smaller.
__HEDDLE_CG__ coalesced_group tiled_partition(const coalesced_group &parent, unsigned int tilesz) {
  return details::GroupAccess::tileOfLanes(parent, tilesz);
}

/// Tiles whose size is known at run time: a power of two, at most 32.
__HEDDLE_CG__ thread_group tiled_partition(const thread_group &parent, unsigned int tilesz) {
  return details::GroupAccess::tile(parent, tilesz);
}
__HEDDLE_CG__ thread_group tiled_partition(const thread_block &parent, unsigned int tilesz) {
  return details::GroupAccess::tile(parent, tilesz);
}

// ---- By value ---------------------------------------------------------------------------------

namespace details {

/// The group of the lanes `mine` of `all`, which its threads call number `rank` of `size`.
__HEDDLE_CG__ coalesced_group subgroup(unsigned mine, unsigned rank, unsigned size) {
  return GroupAccess::coalesced(mine, rank, size);
}

/// Groups of equal labels, numbered by their lowest lane.
template <typename Label>
__HEDDLE_CG__ coalesced_group partitionByLabel(unsigned all, const Label &label) {
  const unsigned mine = __match_any_sync(all, label);
  const bool leads = (mine & lanesBelowMe()) == 0;
  const unsigned leaders = __ballot_sync(all, leads);
  return subgroup(mine, countLanes(leaders & lanesBelow(firstLane(mine))), countLanes(leaders));
}

__HEDDLE_CG__ coalesced_group partitionByPredicate(unsigned all, bool predicate) {
  const unsigned yes = __ballot_sync(all, predicate) & all;
  return subgroup(predicate ? yes : all & ~yes, predicate ? 1 : 0, 2);
}

} // namespace details

__HEDDLE_CG__ coalesced_group binary_partition(const coalesced_group &group, bool predicate) {
  return details::partitionByPredicate(details::GroupAccess::mask(group), predicate);
}
template <unsigned int Size, typename ParentT>
__HEDDLE_CG__ coalesced_group binary_partition(const thread_block_tile<Size, ParentT> &group,
                                               bool predicate) {
  return details::partitionByPredicate(details::GroupAccess::mask(group), predicate);
}

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 700
template <typename Label>
__HEDDLE_CG__ coalesced_group labeled_partition(const coalesced_group &group, Label label) {
  return details::partitionByLabel(details::GroupAccess::mask(group), label);
}
template <unsigned int Size, typename ParentT, typename Label>
__HEDDLE_CG__ coalesced_group labeled_partition(const thread_block_tile<Size, ParentT> &group,
                                                Label label) {
  return details::partitionByLabel(details::GroupAccess::mask(group), label);
}
#endif
__HEDDLE_CG__ coalesced_group labeled_partition(const coalesced_group &group, bool label) {
  return binary_partition(group, label);
}
template <unsigned int Size, typename ParentT>
__HEDDLE_CG__ coalesced_group labeled_partition(const thread_block_tile<Size, ParentT> &group,
                                                bool label) {
  return binary_partition(group, label);
}

// ---- One thread for all -----------------------------------------------------------------------

/// One thread of the group, that of rank 0, calls the function.
template <typename Group, typename Function, typename... Arguments>
__HEDDLE_CG__ void invoke_one(const Group &group, Function &&function, Arguments &&...arguments) {
  if (group.thread_rank() == 0)
    static_cast<Function &&>(function)(static_cast<Arguments &&>(arguments)...);
}

/// One thread of the group calls the function, and every thread gets the result.
template <typename Group, typename Function, typename... Arguments>
__HEDDLE_CG__ auto invoke_one_broadcast(const Group &group, Function &&function,
                                        Arguments &&...arguments)
    -> details::remove_cvref_t<
        decltype(static_cast<Function &&>(function)(static_cast<Arguments &&>(arguments)...))> {
  typedef details::remove_cvref_t<decltype(static_cast<Function &&>(function)(
      static_cast<Arguments &&>(arguments)...))>
      Result;
  static_assert(!__is_same(Result, void), "the function must return a value to broadcast");
  Result result;
  if (group.thread_rank() == 0)
    result = static_cast<Function &&>(function)(static_cast<Arguments &&>(arguments)...);
  return group.shfl(result, 0);
}

} // namespace cooperative_groups

#endif

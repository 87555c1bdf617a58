// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cooperative_groups/scan.h: for each thread of a group within a warp, what the values of the
// threads up to it (inclusive) or before it (exclusive) combine to.
#ifndef _CG_SCAN_H_
#define _CG_SCAN_H_

#include "../cooperative_groups.h"
#include "details/functional.h"

namespace cooperative_groups {
namespace details {

/// Hillis and Steele's scan: log2(size) exchanges over doubling distances.
template <typename Group, typename T, typename Operation>
__HEDDLE_CG__ T inclusiveScan(const Group &group, T value, Operation &op) {
  const unsigned rank = group.thread_rank(), size = group.size();
  for (unsigned distance = 1; distance < size; distance *= 2) {
    const T below = group.shfl_up(value, distance);
    if (rank >= distance)
      value = op(below, value);
  }
  return value;
}

} // namespace details

template <typename Group, typename T, typename Operation>
__HEDDLE_CG__ details::remove_cvref_t<T> inclusive_scan(const Group &group, T &&value,
                                                        Operation &&op) {
  return details::inclusiveScan<Group, details::remove_cvref_t<T>>(group, value, op);
}

template <typename Group, typename T>
__HEDDLE_CG__ details::remove_cvref_t<T> inclusive_scan(const Group &group, T &&value) {
  return inclusive_scan(group, value, plus<details::remove_cvref_t<T>>());
}

/// The first thread, which has nothing before it, gets a zero value.
template <typename Group, typename T, typename Operation>
__HEDDLE_CG__ details::remove_cvref_t<T> exclusive_scan(const Group &group, T &&value,
                                                        Operation &&op) {
  typedef details::remove_cvref_t<T> Value;
  const Value below = group.shfl_up(details::inclusiveScan<Group, Value>(group, value, op), 1u);
  return group.thread_rank() == 0 ? Value() : below;
}

template <typename Group, typename T>
__HEDDLE_CG__ details::remove_cvref_t<T> exclusive_scan(const Group &group, T &&value) {
  return exclusive_scan(group, value, plus<details::remove_cvref_t<T>>());
}

// ---- With a total in memory -------------------------------------------------------------------

namespace details {

/// The last thread adds the group's total to `target`, a cuda::atomic; all get what was there.
template <typename Group, typename Atomic, typename T, typename Operation>
__HEDDLE_CG__ T totalBefore(const Group &group, Atomic &target, const T &total, Operation &op) {
  T before = T();
  if (group.thread_rank() == group.size() - 1) {
    before = target.load();
    while (!target.compare_exchange_weak(before, op(before, total))) {
    }
  }
  return group.shfl(before, int(group.size() - 1));
}

} // namespace details

/// A scan that begins with what `target` holds, to which the group's total is added.
template <typename Group, typename Atomic, typename T, typename Operation>
__HEDDLE_CG__ details::remove_cvref_t<T> inclusive_scan_update(const Group &group, Atomic &target,
                                                               T &&value, Operation &&op) {
  typedef details::remove_cvref_t<T> Value;
  const Value mine = details::inclusiveScan<Group, Value>(group, value, op);
  return op(details::totalBefore(group, target, mine, op), mine);
}
template <typename Group, typename Atomic, typename T>
__HEDDLE_CG__ details::remove_cvref_t<T> inclusive_scan_update(const Group &group, Atomic &target,
                                                               T &&value) {
  return inclusive_scan_update(group, target, value, plus<details::remove_cvref_t<T>>());
}

template <typename Group, typename Atomic, typename T, typename Operation>
__HEDDLE_CG__ details::remove_cvref_t<T> exclusive_scan_update(const Group &group, Atomic &target,
                                                               T &&value, Operation &&op) {
  typedef details::remove_cvref_t<T> Value;
  const Value mine = details::inclusiveScan<Group, Value>(group, value, op);
  const Value before = details::totalBefore(group, target, mine, op);
  const Value below = group.shfl_up(mine, 1u);
  return group.thread_rank() == 0 ? before : op(before, below);
}
template <typename Group, typename Atomic, typename T>
__HEDDLE_CG__ details::remove_cvref_t<T> exclusive_scan_update(const Group &group, Atomic &target,
                                                               T &&value) {
  return exclusive_scan_update(group, target, value, plus<details::remove_cvref_t<T>>());
}

} // namespace cooperative_groups

#endif

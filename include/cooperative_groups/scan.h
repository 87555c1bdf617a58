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

} // namespace cooperative_groups

#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cooperative_groups/reduce.h: one value from the values of all threads of a group within a warp;
// every thread gets it.
#ifndef _CG_REDUCE_H_
#define _CG_REDUCE_H_

#include "../cooperative_groups.h"
#include "details/functional.h"

namespace cooperative_groups {

namespace details {

/// A butterfly: after log2(Size) exchanges all threads hold the same result.
template <unsigned int Size, typename T, typename Operation>
__HEDDLE_CG__ T reduceTile(const LaneTile<Size> &group, T result, Operation &op) {
#pragma unroll
  for (unsigned distance = Size / 2; distance > 0; distance /= 2)
    result = op(result, group.shfl_xor(result, distance));
  return result;
}

/// Each warp for itself, then what the warps have.
template <unsigned int Size, typename T, typename Operation>
__HEDDLE_CG__ T reduceTile(const LargeTile<Size> &group, T result, Operation &op) {
#pragma unroll
  for (unsigned distance = 16; distance > 0; distance /= 2)
    result = op(result, shuffleWords(result, ShuffleXor{~0u, distance, 32}));
  return group.fromWarps(result, [&](const T &a, const T &b) -> T { return op(a, b); });
}

} // namespace details

template <unsigned int Size, typename ParentT, typename T, typename Operation>
__HEDDLE_CG__ details::remove_cvref_t<T> reduce(const thread_block_tile<Size, ParentT> &group,
                                                T &&value, Operation &&op) {
  return details::reduceTile<Size, details::remove_cvref_t<T>>(group, value, op);
}

/// A group of any size: halves fold onto each other, then rank 0 tells the others.
template <typename T, typename Operation>
__HEDDLE_CG__ details::remove_cvref_t<T> reduce(const coalesced_group &group, T &&value,
                                                Operation &&op) {
  details::remove_cvref_t<T> result = value;
  const unsigned rank = group.thread_rank();
  for (unsigned count = group.size(); count > 1;) {
    const unsigned half = (count + 1) / 2;
    const details::remove_cvref_t<T> other = group.shfl_down(result, half);
    if (rank + half < count)
      result = op(result, other);
    count = half;
  }
  return group.shfl(result, 0);
}

// ---- Into memory, by one thread ---------------------------------------------------------------

namespace details {

template <typename Atomic, typename T>
__HEDDLE_CG__ void update(Atomic &target, const T &value, plus<T>) {
  target.fetch_add(value);
}
template <typename Atomic, typename T>
__HEDDLE_CG__ void update(Atomic &target, const T &value, less<T>) {
  target.fetch_min(value);
}
template <typename Atomic, typename T>
__HEDDLE_CG__ void update(Atomic &target, const T &value, greater<T>) {
  target.fetch_max(value);
}
template <typename Atomic, typename T>
__HEDDLE_CG__ void update(Atomic &target, const T &value, bit_and<T>) {
  target.fetch_and(value);
}
template <typename Atomic, typename T>
__HEDDLE_CG__ void update(Atomic &target, const T &value, bit_or<T>) {
  target.fetch_or(value);
}
template <typename Atomic, typename T>
__HEDDLE_CG__ void update(Atomic &target, const T &value, bit_xor<T>) {
  target.fetch_xor(value);
}
/// Any other operation, by comparing and exchanging.
template <typename Atomic, typename T, typename Operation>
__HEDDLE_CG__ void update(Atomic &target, const T &value, Operation op) {
  T old = target.load();
  while (!target.compare_exchange_weak(old, op(old, value))) {
  }
}

} // namespace details

/// One thread combines the group's result with what `target`, a cuda::atomic, holds.
template <typename Group, typename Atomic, typename T, typename Operation>
__HEDDLE_CG__ void reduce_update_async(const Group &group, Atomic &target, T &&value,
                                       Operation &&op) {
  typedef details::remove_cvref_t<T> Value;
  const Value result = reduce(group, value, op);
  if (group.thread_rank() == 0)
    details::update(target, result, details::remove_cvref_t<Operation>(op));
}

/// One thread stores the group's result.
template <typename Group, typename Atomic, typename T, typename Operation>
__HEDDLE_CG__ void reduce_store_async(const Group &group, Atomic &target, T &&value,
                                      Operation &&op) {
  const details::remove_cvref_t<T> result = reduce(group, value, op);
  if (group.thread_rank() == 0)
    target.store(result);
}

} // namespace cooperative_groups

#endif

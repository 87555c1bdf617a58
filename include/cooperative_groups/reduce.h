// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cooperative_groups/reduce.h: one value from the values of all threads of a group within a warp;
// every thread gets it.
#ifndef _CG_REDUCE_H_
#define _CG_REDUCE_H_

#include "../cooperative_groups.h"
#include "details/functional.h"

namespace cooperative_groups {

/// A butterfly: after log2(Size) exchanges all threads hold the same result.
template <unsigned int Size, typename ParentT, typename T, typename Operation>
__HEDDLE_CG__ details::remove_cvref_t<T> reduce(const thread_block_tile<Size, ParentT> &group,
                                                T &&value, Operation &&op) {
  details::remove_cvref_t<T> result = value;
#pragma unroll
  for (unsigned distance = Size / 2; distance > 0; distance /= 2)
    result = op(result, group.shfl_xor(result, distance));
  return result;
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

} // namespace cooperative_groups

#endif

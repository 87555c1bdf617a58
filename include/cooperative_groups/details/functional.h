// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The operations that cooperative_groups::reduce and the scans combine values with. As in CUDA,
// `less` gives the smaller value and `greater` the larger one.
#ifndef HEDDLE_COOPERATIVE_GROUPS_FUNCTIONAL_H
#define HEDDLE_COOPERATIVE_GROUPS_FUNCTIONAL_H

#include "lanes.h"

namespace cooperative_groups {

#define __HEDDLE_CG_OPERATION(NAME, EXPRESSION)                                                    \
  template <typename T> struct NAME {                                                              \
    __HEDDLE_CG_MEMBER__ T operator()(const T &a, const T &b) const { return EXPRESSION; }         \
  };

__HEDDLE_CG_OPERATION(plus, a + b)
__HEDDLE_CG_OPERATION(less, b < a ? b : a)
__HEDDLE_CG_OPERATION(greater, a < b ? b : a)
__HEDDLE_CG_OPERATION(bit_and, a &b)
__HEDDLE_CG_OPERATION(bit_or, a | b)
__HEDDLE_CG_OPERATION(bit_xor, a ^ b)
#undef __HEDDLE_CG_OPERATION

} // namespace cooperative_groups

#endif

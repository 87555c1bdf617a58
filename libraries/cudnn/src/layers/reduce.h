// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reductions of tensors along the dimensions that are 1 in the result.
#pragma once

#include "tensor.h"

namespace heddle::cudnn {

/// c[i] = op of all elements of `a` that fall on element i of `ct`; sums are in double. Where
/// `indices` is not null, it gets the place of the minimum or maximum among the reduced elements.
template <typename T>
void reduceTensor(cudnnReduceTensorOp_t op, bool propagate_nan, const Tensor &at, const T *a,
                  const Tensor &ct, T *c, uint32_t *indices = nullptr);

} // namespace heddle::cudnn

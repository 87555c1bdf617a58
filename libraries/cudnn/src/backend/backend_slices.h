// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Graphs that do the same for each batch and head, as attention does, run for one after another:
// what is between operations stays in the cache, and cores share the slices.
#pragma once

#include "backend.h"

namespace heddle::cudnn {

/// How many parts there are along the first dimension and the second.
struct Slices {
  int64_t batches = 1, groups = 1;
  int64_t count() const { return batches * groups; }
};

/// The slices of operations that do not mix them; 1 of each if there are no such.
Slices slicesOf(const BackendNodes &operations);

/// Cuts a slice out of a tensor; returns how many elements lie before it.
int64_t cut(const Slices &slices, int64_t slice, Tensor &tensor);

} // namespace heddle::cudnn

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is known of the low bits of a value in a gang's first lane, or the first of each row.
//
// `values[8 * threadIdx.x + 3]` begins twelve bytes behind a cache line in every gang, because the
// array is aligned and the first threadIdx.x is a multiple of 32. Shapes know which low bits are
// zero, and nothing of a sum with a number like this 3.
#pragma once

#include "engine/compiler/simd/analysis/shapes.h"

#include "llvm/IR/DataLayout.h"

namespace heddle::engine::simd {

struct LowBits {
  uint64_t value = 0;
  unsigned count = 0; // so many low bits of `value` are right
};

/// Nothing is known of values without a base (Shape::hasRowBases).
LowBits knownAlignmentOf(const llvm::Value &value, const Shapes &shapes,
                         const llvm::DataLayout &data);

} // namespace heddle::engine::simd

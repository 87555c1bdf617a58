// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Known low bits of a value in a gang's first lane, or in the first lane of each row.
//
// `values[8 * threadIdx.x + 3]` starts twelve bytes after a cache line boundary in every gang,
// since the array is aligned and the first threadIdx.x is a multiple of 32. Shapes track only how
// many low bits are zero, so they lose this after adding the 3.
#pragma once

#include "engine/compiler/simd/analysis/shapes.h"

#include "llvm/IR/DataLayout.h"

namespace heddle::engine::simd {

struct LowBits {
  uint64_t value = 0;
  unsigned count = 0; // number of low bits of `value` that are known
};

/// Values without a base (Shape::hasRowBases) have no known bits.
LowBits knownAlignmentOf(const llvm::Value &value, const Shapes &shapes,
                         const llvm::DataLayout &data);

} // namespace heddle::engine::simd

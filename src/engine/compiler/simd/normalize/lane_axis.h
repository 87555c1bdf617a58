// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes x of a kernel's code the axis that gangs are to follow (engine/simd/launch/lane_axis.h).
#pragma once

#include "llvm/IR/Function.h"

namespace heddle::engine::simd {

/// Exchanges x and this axis (1: y, 2: z) in all that the code reads of threadIdx, blockIdx,
/// blockDim and gridDim. Launches of the code must be turned alike. For the code of one thread,
/// without callees.
void turnAxes(llvm::Function &function, unsigned lane_axis);

} // namespace heddle::engine::simd

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds kernels whose gangs may follow another axis of the block than threadIdx.x, and how they
// access memory along each axis.
//
// CUDA numbers the threads of a block along x first, and a kernel can observe that only by
// operations of warps, by the order of atomic operations or of output, or by data races.
#pragma once

#include "engine/simd/launch/facts.h"

#include "llvm/IR/Function.h"

namespace heddle::engine::simd {

/// One for each axis, for simd/launch/lane_axis.h; none if the kernel may observe which threads
/// share a warp, or if its threads differ along x only.
std::vector<AxisAccesses> accessesByAxis(llvm::Function &kernel);

} // namespace heddle::engine::simd

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Decides which kernels run strips of neighbouring blocks in one call, row by row.
//
// A block of 32 x 8 threads that updates a grid of points accesses a short piece of each of eight
// rows; the next block along x continues each piece. Memory bandwidth is best with long pieces,
// which fill pages and suit the hardware prefetcher. So if the threads of a block are independent,
// a strip of blocks beside each other runs as one wide block: the first row of all of them, then
// the second. CUDA guarantees no order of blocks (guide, "Thread Hierarchy").
//
// It does not pay for kernels with loops, or with accesses down columns (access_plan.h): data that
// the rows of a block share should be reused soon.
#pragma once

#include "engine/compiler/codegen/target_profile.h"
#include "engine/compiler/simd/form/gang_layout.h"

#include "llvm/IR/Function.h"

namespace heddle::engine::simd {

/// Expects canonical code without suspend points.
bool runsInStrips(llvm::Function &function, const LaneLayout &layout, const TargetProfile &target);

/// Whether strips access memory contiguously in ascending order, which hardware prefetchers follow:
/// in kernels that use only x, if gangs do not alternate between pieces (access_distance.h).
bool stripsGoUp(llvm::Function &function, const LaneLayout &layout);

} // namespace heddle::engine::simd

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Decides which kernels run several blocks at a time, row by row.
//
// A block of 32 x 8 threads that updates a grid of points touches eight rows, a short piece of
// each; the next block along x goes on where each piece ends. Memory is fastest in long pieces:
// they fill pages, and the CPU loads ahead. So where nothing ties the threads of a block together,
// a strip of blocks that lie beside each other is run as if it were one wide block: the first row
// of all of them, then the second. CUDA promises no order of blocks (guide, "Thread Hierarchy").
//
// It does not pay for kernels with loops: what a block's rows read in common they had better read
// soon after one another.
#pragma once

#include "engine/compiler/simd/form/gang_layout.h"

#include "llvm/IR/Function.h"

namespace heddle::engine::simd {

/// Expects canonical code that never waits.
bool runsInStrips(llvm::Function &function, const LaneLayout &layout);

/// Whether strips go through memory without gaps, upwards only, so that CPUs foresee what they will
/// load: those of kernels that ask for nothing but x, if their gangs do not go to and fro between
/// pieces (access_distance.h).
bool stripsGoUp(llvm::Function &function, const LaneLayout &layout);

} // namespace heddle::engine::simd

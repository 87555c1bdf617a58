// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds kernels to which it is all the same where along x one block ends and the next begins.
//
// A thread of many kernels asks for its place in the grid, `blockIdx.x * blockDim.x + threadIdx.x`,
// and for nothing else that has to do with x; it neither shares memory with its block nor waits for
// it. An engine may then run blocks that lie side by side as one wide block: blocks of 8 × 8 × 8
// threads as such of 32 × 8 × 8, whose rows fill vector registers.
#pragma once

#include "engine/simd/launch/facts.h"

#include "llvm/IR/Function.h"

namespace heddle::engine::simd {

/// What blockDim.x must be for that: any_block_dim, the number that is written in the code instead
/// of blockDim.x, or 0 if the kernel is not like that. Kernels for which wide blocks would not pay
/// count as not like that: with loops of many rounds, where blocks load the same; or with accesses
/// down columns.
uint32_t fusibleBlockDim(llvm::Function &kernel);

/// How many threads along x such blocks should have together, so that their elements fill as many
/// vector registers as a warp's floats: 32, or 64 if the kernel accesses nothing that is larger
/// than two bytes, or 128 if nothing that is larger than one.
uint32_t fusedRow(const llvm::Function &kernel);

} // namespace heddle::engine::simd

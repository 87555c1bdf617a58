// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds kernels that do not depend on where along x one block ends and the next begins.
//
// Threads of many kernels use x only in their position in the grid, `blockIdx.x * blockDim.x +
// threadIdx.x`, and neither share memory nor synchronise with their block. Neighbouring blocks may
// then run as one wide block: blocks of 8 × 8 × 8 threads as one of 32 × 8 × 8, whose rows fill
// vector registers.
#pragma once

#include "engine/simd/launch/facts.h"

#include "llvm/IR/Function.h"

namespace heddle::engine::simd {

/// The blockDim.x that this requires: any_block_dim, the constant that the code contains instead of
/// blockDim.x, or 0 if the kernel does not qualify. Also 0 if wide blocks would not pay: for loops
/// with many iterations, in which blocks load the same data, and for column accesses.
/// `axis`: x, or y if that takes its place (lane_axis.h).
uint32_t fusibleBlockDim(llvm::Function &kernel, char axis = 'x');

/// The number of threads along x of a fused row, so that their elements fill as many vector
/// registers as a warp's floats: 32, or 64 if no accessed element is larger than two bytes, or 128
/// if none is larger than one.
uint32_t fusedRow(const llvm::Function &kernel);

} // namespace heddle::engine::simd

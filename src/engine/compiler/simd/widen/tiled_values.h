// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tiled affine values, which have a scalar for each row of a gang: values computed from
// threadIdx.y, and addresses that are contiguous within a row.
//
// Most such values grow by a uniform step from row to row (an image's pitch, say). Then only the
// first row's value is computed, and the others by adding the step.
#pragma once

#include "engine/compiler/simd/widen/vector_builder.h"

namespace heddle::engine::simd {

/// The step as a uniform i64 (in bytes for pointers); null if there is none or it is unknown. Sums
/// are modulo 2^64; narrower integers are signed and do not wrap from row to row.
llvm::Value *stepOf(VectorBuilder &v, llvm::Value *value);

/// Whether the integer is known to be non-negative in all lanes.
bool isNotNegative(VectorBuilder &v, const llvm::Value *value);

/// in_range_marker, tested at the corners: the first and last lane of the first and last row.
llvm::Value *inRange(VectorBuilder &v, llvm::Value *value, llvm::Value *low);

/// Emits the instruction for each row. A row may have no active lanes, so flags that make overflow
/// poison are dropped.
void keepRows(VectorBuilder &v, llvm::Instruction &instruction);

/// Expands an i1 per row to a mask.
llvm::Value *maskOfRows(VectorBuilder &v, const Rows &rows);

/// Phis for each row; completed when all blocks are widened.
void makeRowPhis(VectorBuilder &v, llvm::PHINode &phi);

void completeRowPhis(VectorBuilder &v, llvm::PHINode &phi);

} // namespace heddle::engine::simd

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Accesses at addresses that are contiguous unless an index wraps or is clamped at a border: a test
// at run time, then one vector for each row, or an access for each lane.
#pragma once

#include "engine/compiler/simd/widen/vector_builder.h"

namespace heddle::engine::simd {

struct Neighbours {
  llvm::Value *known = nullptr; // i1: lane l of a row has the row's pointer + l elements
  Rows pointers;
};

llvm::Value *loadIfContiguous(VectorBuilder &v, llvm::LoadInst &old);

void storeIfContiguous(VectorBuilder &v, llvm::StoreInst &old);

/// The first value of each row, and an i1: all active lanes differ from it by the given steps.
std::pair<Rows, llvm::Value *> inSteps(VectorBuilder &v, llvm::Value *values,
                                       llvm::ArrayRef<int64_t> steps_of_row);

} // namespace heddle::engine::simd

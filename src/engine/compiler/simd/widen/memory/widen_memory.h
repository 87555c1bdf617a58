// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads and stores of a gang.
#pragma once

#include "engine/compiler/simd/widen/vector_builder.h"

namespace heddle::engine::simd {

struct Neighbours {
  llvm::Value *known = nullptr; // i1: lane l of a row has the row's pointer + l elements
  Rows pointers;
};

llvm::Value *widenLoad(VectorBuilder &v, llvm::LoadInst &old);

llvm::Value *gather(VectorBuilder &v, llvm::LoadInst &old);

void widenStore(VectorBuilder &v, llvm::StoreInst &old);

void scatter(VectorBuilder &v, llvm::StoreInst &old);

/// The first value of each row, and whether all active lanes differ from it by the given steps.
std::pair<Rows, llvm::Value *> inSteps(VectorBuilder &v, llvm::Value *values,
                                       llvm::ArrayRef<int64_t> steps_of_row);

} // namespace heddle::engine::simd

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Column accesses (strided_2d_access.h): a short vector for each column of the gang's rows, and a
// transposition in registers.
#pragma once

#include "engine/compiler/simd/widen/vector_builder.h"

namespace heddle::engine::simd {

/// By how many bytes the address grows from row to row, if all lanes are active; nothing if that is
/// no constant, or if lanes of a row are not equally far apart.
std::optional<int64_t> rowStepOf(VectorBuilder &v, const llvm::Value &address);

llvm::Value *loadColumns(VectorBuilder &v, llvm::LoadInst &old);

void storeColumns(VectorBuilder &v, llvm::StoreInst &old);

} // namespace heddle::engine::simd

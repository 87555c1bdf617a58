// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Column accesses (strided_2d_access.h): a short vector for each column of the gang's rows, and a
// transposition in registers.
#pragma once

#include "engine/compiler/simd/widen/vector_builder.h"

namespace heddle::engine::simd {

/// The address of each column of the gang's rows, if its elements are contiguous.
std::optional<Rows> columnsAt(VectorBuilder &v, llvm::Value *old_pointer, llvm::Type *type);

llvm::Value *loadColumns(VectorBuilder &v, llvm::LoadInst &old, const Rows &columns);

void storeColumns(VectorBuilder &v, llvm::StoreInst &old, const Rows &columns);

} // namespace heddle::engine::simd

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Column accesses (strided_2d_access.h): a short vector for each column of the gang's rows, and a
// transposition in registers.
#pragma once

#include "engine/compiler/simd/widen/vector_builder.h"

namespace heddle::engine::simd {

llvm::Value *loadColumns(VectorBuilder &v, llvm::LoadInst &old);

bool storeColumns(VectorBuilder &v, llvm::StoreInst &old);

} // namespace heddle::engine::simd

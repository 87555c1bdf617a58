// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One access for all lanes, at a uniform address.
#pragma once

#include "engine/compiler/simd/widen/vector_builder.h"

namespace heddle::engine::simd {

llvm::Value *loadForAll(VectorBuilder &v, llvm::LoadInst &old);

/// If many lanes store to one address, any may be last; here the highest lane is.
void storeToOnePlace(VectorBuilder &v, llvm::StoreInst &old);

} // namespace heddle::engine::simd

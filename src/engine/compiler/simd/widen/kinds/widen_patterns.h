// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads of permuted contiguous elements (permuted_access.h).
#pragma once

#include "engine/compiler/simd/widen/vector_builder.h"

namespace heddle::engine::simd {

/// Null if the addresses are no permutation that is known when compiling.
llvm::Value *loadPattern(VectorBuilder &v, llvm::LoadInst &old);

} // namespace heddle::engine::simd

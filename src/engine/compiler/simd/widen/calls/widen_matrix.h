// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products of matrices, which a warp's lanes hold in their registers (module/matrix_operation.h).
//
// The runtime computes them, in memory. A tile of a large product is dozens to hundreds of them,
// which share factors and add to each other's sums. So what has been written for one product stays
// where it is for the next ones of the same block; and a sum stays in its place, so that most
// products are a call and nothing else.
#pragma once

#include "engine/compiler/simd/widen/vector_builder.h"

namespace heddle::engine::simd {

/// `code`: MatrixOperation::encode(). Returns a structure of the result's words.
llvm::Value *widenMatrixProduct(VectorBuilder &v, llvm::CallBase &old, uint32_t code);

/// At the start of a block: paths to it may have written other fragments.
void forgetFragments(VectorBuilder &v);

} // namespace heddle::engine::simd

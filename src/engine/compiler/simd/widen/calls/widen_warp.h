// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shuffles, votes and other warp operations whose lanes are all here: PTX ISA, "shfl.sync",
// "vote.sync", "match.sync", "redux.sync". The reference engine's warp.h implements the same in
// scalar code.
#pragma once

#include "engine/compiler/simd/widen/vector_builder.h"

namespace heddle::engine::simd {

/// Lowers the NVVM intrinsic `name`, except special registers.
llvm::Value *widenWarpOperation(VectorBuilder &v, llvm::CallBase &old, llvm::StringRef name);

} // namespace heddle::engine::simd

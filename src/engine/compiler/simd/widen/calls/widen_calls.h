// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls: gang intrinsics, special registers, intrinsics, and functions that are called lane by
// lane.
#pragma once

#include "engine/compiler/simd/widen/vector_builder.h"

namespace heddle::engine::simd {

/// Returns the call's value for `define`; null if there is none or it has been defined.
llvm::Value *widenCall(VectorBuilder &v, llvm::CallBase &old);

/// Of addresses that grow from lane to lane the first and the last are asked, whichever lanes are
/// here.
llvm::Value *within(VectorBuilder &v, llvm::CallBase &old);

} // namespace heddle::engine::simd

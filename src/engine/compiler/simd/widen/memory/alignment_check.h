// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that addresses are aligned, unless they are known to be.
#pragma once

#include "engine/compiler/simd/widen/vector_builder.h"

namespace heddle::engine::simd {

/// A GPU faults on an access that is not aligned to its size (CUDA guide, "Device Memory
/// Accesses").
void checkAlignment(VectorBuilder &v, llvm::Value *old_pointer, llvm::Align align);

} // namespace heddle::engine::simd

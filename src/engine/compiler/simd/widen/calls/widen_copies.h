// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies of 16 bytes for each lane, as cp.async makes: PTX ISA, "Data Movement and Conversion
// Instructions: Asynchronous copy".
//
// A tile of a matrix product has dozens of them. As code for each lane they would be most of the
// kernel, so they are calls of one function, which the module gets with the first of them.
#pragma once

#include "engine/compiler/simd/widen/vector_builder.h"

namespace heddle::engine::simd {

/// Whether this is such a copy.
bool isCopyOfLanes(const llvm::CallBase &old);
void widenCopyOfLanes(VectorBuilder &v, llvm::CallBase &old);

} // namespace heddle::engine::simd

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One instruction of the thread's code: chooses the emitter, and widens arithmetic itself.
#pragma once

#include "engine/compiler/simd/widen/vector_builder.h"

namespace heddle::engine::simd {

/// Emits the instruction for the active lanes and defines its result. Terminators are widen.cpp's.
void widenInstruction(VectorBuilder &v, llvm::Instruction &instruction);

} // namespace heddle::engine::simd

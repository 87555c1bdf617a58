// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Look-up tables, such as `starts[key & 15]`: if all lanes load from the same few elements, these
// are loaded as one or two vectors, and each lane selects its element by a permutation of
// registers. A gather would access memory for each lane.
#pragma once

#include "engine/compiler/simd/widen/vector_builder.h"

namespace heddle::engine::simd {

llvm::Value *loadFromTable(VectorBuilder &v, llvm::LoadInst &old);

} // namespace heddle::engine::simd

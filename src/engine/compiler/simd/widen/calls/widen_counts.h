// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counting (instrument/counts.h): a mark becomes a few additions for a warp, or a call where more
// is to be found out.
#pragma once

#include "engine/compiler/simd/widen/vector_builder.h"

namespace heddle::engine::simd {

/// Lowers a call of the marker (lowering/builtin_forms.h). Expects gangs of one warp.
void widenCount(VectorBuilder &v, llvm::CallBase &old, llvm::StringRef marker);

/// A fetch from a texture of which `service` is told (offset in ExtendedRuntimeTable), by the
/// marker's arguments.
void widenFetch(VectorBuilder &v, llvm::CallBase &old, uint64_t service);

} // namespace heddle::engine::simd

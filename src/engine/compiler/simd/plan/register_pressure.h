// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How much of the vector registers a gang's values take.
#pragma once

#include "engine/compiler/simd/analysis/shapes.h"

namespace heddle::engine::simd {

/// The largest number of bytes live at any point of the function. `warp`: the code with the shapes
/// of a gang of one warp, if it has warp operations; otherwise null.
uint64_t mostLiveBytes(const llvm::Function &function, const ShapedCode &code,
                       const LaneLayout &layout, const ShapedCode *warp);

/// Bytes that lanes carry from iteration to iteration.
uint64_t keptBytes(const llvm::Loop &loop, const ShapedCode &code, const LaneLayout &layout);

} // namespace heddle::engine::simd

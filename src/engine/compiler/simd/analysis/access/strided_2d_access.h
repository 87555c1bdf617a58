// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Accesses down the columns of a matrix, as in a transposition: `out[x * height + y]`.
//
// Neighbouring threads of a row are far apart there, by a number that only the launch decides; each
// of them would access a line of its own. But the thread below, in the next row of the block, is
// its neighbour. So if a gang has several rows, the elements of each column are a short vector.
#pragma once

#include "engine/compiler/simd/analysis/shapes.h"

namespace heddle::engine::simd {

/// Whether a load or store seems to be one. Indices that are computed in 32 bits are taken not to
/// wrap: good for estimates only.
bool isLikelyStrided2d(const llvm::Instruction &instruction, const ShapedCode &code);

/// Whether a kernel has such accesses.
bool hasStrided2dAccess(const llvm::Function &function, const ShapedCode &code);

/// Whether a value seems to grow linearly along the gang's rows and down its columns, as the
/// addresses of these accesses do: then it has a few scalars, and no vector. (The same estimate.)
bool looksLikePlane(const llvm::Value &value, const ShapedCode &code);

} // namespace heddle::engine::simd

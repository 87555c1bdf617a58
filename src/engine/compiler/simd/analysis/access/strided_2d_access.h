// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Accesses down the columns of a matrix, as in a transposition: `out[x * height + y]`.
//
// Neighbouring threads of a row are `height` elements apart, a number known only at the launch, so
// each accesses a different cache line. But threads that are neighbours in the next dimension
// access neighbouring elements. So if a gang has several rows, the elements of each column form a
// short vector.
#pragma once

#include "engine/compiler/simd/analysis/shapes.h"

#include <optional>

namespace heddle::engine::simd {

/// Whether a load or store seems to be one. Indices computed in 32 bits are assumed not to wrap:
/// for estimates only.
bool isLikelyStrided2d(const llvm::Instruction &instruction, const ShapedCode &code);

/// By how many bytes the address grows from row to row, if it grows linearly along rows and down
/// columns. An estimate, too.
std::optional<int64_t> estimatedRowStep(const llvm::Value &pointer, const Shapes &shapes,
                                        const llvm::DataLayout &data);

/// Whether a kernel has such accesses.
bool hasStrided2dAccess(const llvm::Function &function, const ShapedCode &code);

/// Whether a value seems to grow linearly along the gang's rows and down its columns, as the
/// addresses of these accesses do: it is then represented by a few scalars instead of a vector. An
/// estimate like isLikelyStrided2d.
bool looksLikePlane(const llvm::Value &value, const ShapedCode &code);

} // namespace heddle::engine::simd

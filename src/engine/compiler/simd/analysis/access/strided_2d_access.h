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

/// By how many bytes the address grows from row to row, if it grows linearly along rows and down
/// columns, and by a constant down columns. Nothing if columns are at most eight elements apart:
/// vectors of the row then cover several of them (widen_strided.h). Indices computed in 32 bits are
/// assumed not to wrap: for estimates only.
std::optional<int64_t> estimatedRowStep(const llvm::Value &pointer, const Shapes &shapes,
                                        const llvm::DataLayout &data);

/// Whether a value seems to grow linearly along the gang's rows and down its columns, as the
/// addresses of these accesses do: it is then represented by a few scalars instead of a vector. An
/// estimate, too.
bool looksLikePlane(const llvm::Value &value, const ShapedCode &code);

} // namespace heddle::engine::simd

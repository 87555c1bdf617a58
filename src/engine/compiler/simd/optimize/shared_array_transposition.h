// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Transposes arrays in shared memory that a gang stores down their columns.
//
// Products of matrices keep a tile of the left factor transposed, `tile[k][row]`, so that a thread
// of a GPU finds its rows' elements side by side. But the tile comes from memory row by row:
// neighbouring threads store at a distance of a row, which is a scatter here. Which of the two
// indices comes first in memory is not observable: shared memory is the block's alone, and if
// all accesses to an array are known, `tile[k][row]` may as well lie at `tile[row][k]`.
//
// It must be known of each access that its column lies within the row: programs also walk through
// arrays of arrays as if they were one.
#pragma once

#include "engine/compiler/simd/form/gang_layout.h"
#include "module/layout.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Function.h"

namespace heddle::engine::simd {

/// An array of `rows` rows of `columns` elements.
struct SharedArray {
  uint64_t rows = 0, columns = 0, element_bytes = 0;
};

/// By their offsets in static shared memory. Only of variables which nothing but kernels accesses
/// by name. To be called before they have addresses (lower_memory_spaces.h).
using SharedArrays = llvm::DenseMap<uint64_t, SharedArray>;
SharedArrays sharedArrays(const DeviceLayout &layout,
                          llvm::function_ref<bool(const llvm::Function &)> is_kernel);

/// Transposes those for which it pays in gangs of this layout. Expects canonical code.
void transposeArrays(llvm::Function &function, const LaneLayout &layout,
                     const SharedArrays &arrays);

} // namespace heddle::engine::simd

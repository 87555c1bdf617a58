// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Transposes arrays in shared memory that a gang stores down their columns.
//
// Matrix products keep a transposed tile of the left factor, `tile[k][row]`, so that the elements
// of a GPU thread's rows are contiguous. But the tile is loaded from global memory row by row:
// neighbouring lanes store a row's length apart, which is a scatter. The order of the two indices
// in memory is not observable: shared memory is private to the block, so if all accesses to an
// array are known, `tile[k][row]` may be stored at `tile[row][k]`.
//
// Each access's column index must provably lie within the row, since programs also index
// two-dimensional arrays as flat ones.
//
// An instance of choosing an array's layout by its accesses: of two orders of two indices, also
// with padded rows. Not covered: arrays that are stored and loaded in both orders (a
// transposition's tile), where neither order serves both, and rows that depend on several indices
// (`t / 8`).
#pragma once

#include "engine/compiler/simd/form/gang_layout.h"
#include "module/description/layout.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Function.h"

namespace heddle::engine::simd {

/// An array of `rows` rows with `columns` elements each.
struct SharedArray {
  uint64_t rows = 0, columns = 0, element_bytes = 0;
};

/// Candidates by their offsets in static shared memory: variables that only kernels access by name.
/// Must be collected before variables have addresses (lower_memory_spaces.h).
using SharedArrays = llvm::DenseMap<uint64_t, SharedArray>;
SharedArrays sharedArrays(const DeviceLayout &layout,
                          llvm::function_ref<bool(const llvm::Function &)> is_kernel);

/// Transposes the candidates for which that pays in this layout. Expects canonical code.
void transposeArrays(llvm::Function &function, const LaneLayout &layout,
                     const SharedArrays &arrays);

} // namespace heddle::engine::simd

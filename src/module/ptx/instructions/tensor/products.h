// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What instructions for matrices share: how they name elements, the engine's product, and
// transposed tiles.
#pragma once

#include "module/matrix_operation.h"
#include "module/ptx/instructions/instructions.h"

namespace heddle {

/// Takes all types of elements, in the instruction's order.
llvm::SmallVector<MatrixElement> takeMatrixElements(PtxInstruction &in);

/// Adds the register `bits` (32 or 64 of them) to `words`, the lower half first.
void appendWords(PtxInstruction &in, llvm::Value *bits,
                 llvm::SmallVectorImpl<llvm::Value *> &words);

/// The product of what the warp's threads hold: their words of a, b and c. Gives the registers of
/// d.
llvm::SmallVector<llvm::Value *> multiplyMatrices(PtxInstruction &in,
                                                  const MatrixOperation &operation,
                                                  llvm::ArrayRef<llvm::Value *> words);

/// Of a tile of 8x8 16-bit numbers a thread has a word: two numbers of a row, which it shares with
/// three neighbours. This gives its word of the transposed tile: two numbers of one column.
llvm::Value *transposedTile(PtxInstruction &in, llvm::Value *word);

} // namespace heddle

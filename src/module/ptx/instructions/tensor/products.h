// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What mma and wmma share: how they name elements, and the engine's product.
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

} // namespace heddle

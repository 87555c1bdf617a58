// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Joins pairs of 32-bit shuffles. A GPU shuffles 32 bits (PTX ISA, "shfl.sync"), so CUDA's headers
// shuffle the halves of a double separately and reassemble them. In vectors, 64-bit elements are
// moved by one shuffle instead of ten instructions.
#pragma once

#include "llvm/IR/Function.h"

namespace heddle::engine {

/// Joins shuffles of both halves of a vector's elements.
void joinShuffledHalves(llvm::Function &function);

} // namespace heddle::engine

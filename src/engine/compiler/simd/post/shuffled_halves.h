// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A GPU shuffles 32 bits (PTX ISA, "shfl.sync"), so that headers make two shuffles of a double's,
// and put the halves together again. Where lanes are in vectors, 64 bits can be moved as one: this
// makes one shuffle of the two, instead of ten instructions.
#pragma once

#include "llvm/IR/Function.h"

namespace heddle::engine {

/// Joins the shuffles of both halves of a vector's elements.
void joinShuffledHalves(llvm::Function &function);

} // namespace heddle::engine

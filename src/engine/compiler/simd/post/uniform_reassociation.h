// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `x == 0 || y == 0 || z == 0` parts a gang by x alone: its lanes have one y and one z. In vectors,
// in the order in which the program asks, that is (x | y) | z, two operations on masks. What all
// lanes agree on is joined first here, in a scalar, which often leaves the loop over gangs.
#pragma once

#include "llvm/IR/Function.h"

namespace heddle::engine {

/// Joins what is the same in all elements of conditions in vectors: (v | a) | b is v | (a | b).
void reassociateUniformTerms(llvm::Function &function);

} // namespace heddle::engine

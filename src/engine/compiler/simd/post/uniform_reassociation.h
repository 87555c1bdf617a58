// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reassociates conditions so that uniform terms are combined first, as scalars. In `x == 0 || y ==
// 0 || z == 0` often only x varies in a gang. In program order that is (x | y) | z, two mask
// operations; x | (y | z) is one, and the scalar part can often be hoisted out of the loop over
// gangs.
#pragma once

#include "llvm/IR/Function.h"

namespace heddle::engine {

/// Rewrites (v | a) | b as v | (a | b), where a and b are uniform; likewise for &.
void reassociateUniformTerms(llvm::Function &function);

} // namespace heddle::engine

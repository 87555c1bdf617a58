// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether code has the form that the passes behind rely on, beyond what LLVM checks.
#pragma once

#include "llvm/IR/Function.h"

#include <string>

namespace heddle::engine::simd {

/// What is wrong with the code of a thread or gang that is said to have these forms (pass.h); "" if
/// nothing is.
std::string problemsOfForm(llvm::Function &function, unsigned forms);

} // namespace heddle::engine::simd

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Verifies the forms that passes rely on, beyond LLVM's own verifier.
#pragma once

#include "llvm/IR/Function.h"

#include <string>

namespace heddle::engine::simd {

/// Describes how the code of a thread or gang violates these forms (pass.h); "" if it does not.
std::string problemsOfForm(llvm::Function &function, unsigned forms);

} // namespace heddle::engine::simd

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Accesses that happen only if an observer allows them.
#pragma once

#include "llvm/IR/Instructions.h"

namespace heddle::engine {

/// The instruction happens if `allowed` (an i1); else its result is zero.
void guardByBranch(llvm::Instruction &access, llvm::Value *allowed);

/// The same for code that is hardly ever run: the access becomes a call of a function, which the
/// SIMD engine calls lane by lane, where that is possible. `own`: to memory of the thread's own,
/// whose layout must stay open.
void guardByCall(llvm::Instruction &access, llvm::Value *allowed, bool own);

} // namespace heddle::engine

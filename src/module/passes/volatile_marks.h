// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Keeps each volatile access one instruction. The lanes of a warp come together to accesses of
// volatile shared memory (engine/compiler/lowering/warp_step.h), which they can only if LLVM has
// not made two copies of an access, one for each outcome of a branch before it, as jump threading
// does. LLVM copies no convergent call in that way, so such a call stands before each access while
// LLVM optimises.
#pragma once

#include "llvm/IR/Module.h"

namespace heddle {

/// Puts a mark before each volatile load and store, if the module has shared variables: until
/// LLVM has inlined functions, pointers do not tell what they point to.
void markVolatileAccesses(llvm::Module &module);
void removeVolatileMarks(llvm::Module &module);

} // namespace heddle

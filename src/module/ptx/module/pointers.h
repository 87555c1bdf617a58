// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Recovers pointers from integer addresses.
//
// In PTX a pointer is an integer in a register, and a memory access begins with inttoptr. Alias
// analysis and the engines' analyses of strides need pointers that are derived from others by
// getelementptr. So each sum that is used as an address becomes a pointer and an offset, traced
// from the access back to the pointer's origin: a variable, a parameter, another load.
//
// PTX does not say which operand of a sum is the pointer. The one whose origin is likelier to be
// one is chosen; a wrong choice affects only speed.
#pragma once

#include "llvm/IR/Module.h"

namespace heddle {

/// Turns parameters that are addresses into pointers, which changes the types of functions;
/// match_calls.h adapts the calls.
void recoverPointers(llvm::Module &module);

} // namespace heddle

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Addresses become pointers.
//
// In PTX a pointer is an integer in a register, and an access to memory begins with inttoptr. LLVM
// and the engines know what memory two accesses may share, and in which steps they go, only of
// pointers that are made from others by getelementptr. So each sum that is used as an address
// becomes a pointer and an offset, from the access back to where the pointer comes from: a
// variable, a parameter, another load.
//
// Which summand is the pointer, PTX does not say. It is the one that can be followed to something
// that is likelier to be one; a wrong choice costs speed, and no more than that.
#pragma once

#include "llvm/IR/Module.h"

namespace heddle {

/// Parameters that are addresses become pointers, which changes the types of functions;
/// match_calls.h makes calls fit.
void recoverPointers(llvm::Module &module);

} // namespace heddle

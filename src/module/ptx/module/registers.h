// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Takes away initial values of registers that are always written before they are read.
//
// The emitter begins each register with 0, in case it is read first. Without that most registers
// have one store, which LLVM turns into a value in constant time; with it, LLVM searches for each
// register the blocks and instructions in which it is alive, which in texts with tens of thousands
// of registers takes minutes.
#pragma once

#include "llvm/IR/Function.h"

namespace heddle {

void dropInitialValues(llvm::Function &function);

} // namespace heddle

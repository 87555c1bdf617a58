// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Guesses how many registers ptxas would give a kernel: the most values alive at once.
//
// Occupancy depends on it, and there is no ptxas here to ask. A register has 32 bits, so a double
// or a pointer counts twice; constants, addresses of variables and a kernel's parameters count
// nothing.
#pragma once

#include "llvm/IR/Function.h"

namespace heddle {

/// Between 10 and 255, as ptxas reports them.
uint32_t estimateRegisters(const llvm::Function &function);

} // namespace heddle

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Estimates the number of registers that ptxas would allocate to a kernel: the maximum of live
// values.
//
// Occupancy depends on it, and ptxas is not available. A register has 32 bits, so a double or a
// pointer counts twice; constants, addresses of variables and a kernel's parameters do not count.
#pragma once

#include "llvm/IR/Function.h"

namespace heddle {

/// Between 10 and 255, the range of ptxas.
uint32_t estimateRegisters(const llvm::Function &function);

} // namespace heddle

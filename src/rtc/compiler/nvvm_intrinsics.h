// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Warp operations as NVVM IR has them, with the kind as an argument (NVVM IR specification, "Data
// Movement", "Vote", "Match"); LLVM has an intrinsic for each kind.
#pragma once

#include "llvm/IR/Module.h"

namespace heddle::rtc {

/// Throws std::runtime_error for a kind that is no constant, or that there is not.
void lowerNvvmIntrinsics(llvm::Module &module);

} // namespace heddle::rtc

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Warp operations as NVVM IR has them, with the kind as an argument (NVVM IR specification, "Data
// Movement", "Vote", "Match"), of which LLVM has an intrinsic for each kind; and older names.
#pragma once

#include "llvm/IR/Module.h"

namespace heddle::rtc {

/// Throws std::runtime_error for a kind that is no constant, and for intrinsics that there are not.
void lowerNvvmIntrinsics(llvm::Module &module);

} // namespace heddle::rtc

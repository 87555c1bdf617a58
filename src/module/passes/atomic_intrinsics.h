// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NVVM IR has atomic.inc and atomic.dec as calls of intrinsics (NVVM IR specification, "Atomic
// Intrinsics"). LLVM's NVPTX target writes them as instructions of PTX; for processors they become
// LLVM's own atomic instructions, which every pass knows.
#pragma once

#include "llvm/IR/Module.h"

namespace heddle {

void lowerAtomicIntrinsics(llvm::Module &module);

} // namespace heddle

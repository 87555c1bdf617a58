// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What accesses do with the values: loads and stores that only copy (reading what was never written
// is no error there), atomic operations that only write or only read.
#pragma once

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Instructions.h"

namespace heddle::engine {

/// Bits of observe::Site::flags for this access.
uint32_t copyFlags(const llvm::Instruction &access);

/// Before each store of a loaded value in the function: where that comes from, as an i64.
llvm::DenseMap<const llvm::Instruction *, llvm::Instruction *>
noteSources(llvm::Function &function);

} // namespace heddle::engine

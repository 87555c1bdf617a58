// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Accesses that a GPU makes one instruction of: `float4` is four loads in LLVM's code, and one of
// 16 bytes on a GPU (PTX ISA, "ld", .v2 and .v4).
#pragma once

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/IR/BasicBlock.h"

namespace heddle::engine {

struct AccessGroup {
  llvm::Instruction *first; // in the code
  llvm::Value *base;        // the group lies at `base` + `offset`
  int64_t offset;
  uint64_t bytes; // 8 or 16
};

struct AccessGroups {
  llvm::SmallVector<AccessGroup> groups;
  llvm::DenseSet<const llvm::Instruction *> members; // of all groups, the first ones too
};

/// Loads, and stores, of neighbouring places whose first one is known to be aligned for all of
/// them, with nothing between them that might be concerned.
AccessGroups findAccessGroups(llvm::BasicBlock &block);

} // namespace heddle::engine

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a GPU's code has for an instruction of LLVM's (docs/metrics.md): which class of
// instructions, and for which branches none.
#pragma once

#include "engine/observe/counted_site.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Instructions.h"

#include <optional>

namespace heddle::engine {

/// Nothing for what costs a GPU no instruction: phis, casts of types alone, markers, constants.
std::optional<observe::InstructionClass> classOf(const llvm::Instruction &instruction);

/// The conditional branches in whose place ptxas makes predicated instructions, so that there is no
/// branch: those around a short side, or to the end of the kernel. It is a guess that agrees with
/// the counters of a real GPU (tests/hardware).
llvm::SmallPtrSet<const llvm::BranchInst *, 16> predicatedBranches(const llvm::Function &function);

} // namespace heddle::engine

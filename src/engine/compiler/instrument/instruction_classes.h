// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which class of a GPU's instructions an instruction of LLVM's is (docs/metrics.md).
#pragma once

#include "engine/observe/counted_site.h"

#include "llvm/IR/Instruction.h"

#include <optional>

namespace heddle::engine {

/// Nothing for what costs a GPU no instruction: phis, casts of types alone, markers, constants.
std::optional<observe::InstructionClass> classOf(const llvm::Instruction &instruction);

} // namespace heddle::engine

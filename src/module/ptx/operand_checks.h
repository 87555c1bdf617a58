// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What ptxas says of operands that an instruction cannot have, whatever the GPU.
#pragma once

#include "module/ptx/statement.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace heddle {

/// The value of an operand that is a number in the text, or nothing.
using PtxLiteral = llvm::function_ref<std::optional<int64_t>(const PtxOperand &)>;

/// Messages in ptxas' words; empty if nothing is wrong that is looked for here: numbers of barriers
/// and of threads, vectors of matrix instructions, addresses that are numbers, modifiers that are
/// missing.
std::vector<std::string> wrongOperands(const PtxStatement &instruction, PtxLiteral literal);

} // namespace heddle

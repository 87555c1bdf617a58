// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gives variables their addresses: shared ones relative to the block's shared memory, device and
// constant ones relative to this device's globals (module/description/layout.h).
//
// Also writes `init_globals`, the function that stores the initial values, including addresses of
// other variables, to a fresh copy of the globals. Runs after addThreadContext.
#pragma once

#include "module/description/layout.h"

#include "llvm/IR/Instruction.h"

#include <optional>

namespace heddle::engine {

/// Returns the function void init_globals(ptr globals, ptr managed).
llvm::Function *lowerMemorySpaces(llvm::Module &module, const DeviceLayout &layout);

/// Stands for the size of dynamic shared memory, which the launch sets.
inline constexpr uint64_t dynamic_bytes = ~uint64_t(0);

/// Size in bytes of the shared array whose address this is, in lowered code.
std::optional<uint64_t> sharedBytes(const llvm::Instruction &address);

} // namespace heddle::engine

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The services to device code (RuntimeTable) that involve no other thread; they are the same in all
// engines.
#pragma once

#include "engine/abi.h"

namespace heddle::engine::services {

/// A table with these services; engines add those that wait, print or end threads.
RuntimeTable common();

uint32_t gridIsCooperative(ThreadContext *context);

/// Raises the fault for grid.sync() in a launch that is not cooperative, called from `code`.
[[noreturn]] void raiseNotCooperative(ThreadContext *context, uintptr_t code);

/// PTX ISA, "isspacep": the window of the generic space that an address lies in; addresses in none
/// are global. `is_local`: on the thread's own stack. Parameters are global, too, but have a value
/// of their own.
uint32_t addressSpace(ThreadContext *context, const void *pointer, bool is_local);

} // namespace heddle::engine::services

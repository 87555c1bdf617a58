// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The services to device code (RuntimeTable) that need no other thread: every engine gives them in
// the same way.
#pragma once

#include "engine/abi.h"

namespace heddle::engine::services {

/// A table with these services in it; those that wait, print or end threads are the engine's.
RuntimeTable common();

uint32_t gridIsCooperative(ThreadContext *context);

/// The fault of grid.sync() in a launch that is not cooperative, called from `code`.
[[noreturn]] void raiseNotCooperative(ThreadContext *context, uintptr_t code);

/// PTX ISA, "isspacep": which window of the generic space an address lies in; what lies in none is
/// global. `is_local`: on the thread's own stack. Parameters, which are global, too, have an answer
/// of their own.
uint32_t addressSpace(ThreadContext *context, const void *pointer, bool is_local);

} // namespace heddle::engine::services

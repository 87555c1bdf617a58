// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The services to device code (RuntimeTable) that need no other thread: every engine gives them in
// the same way.
#pragma once

#include "engine/abi.h"

namespace heddle::engine::services {

void arriveAtBarrier(ThreadContext *context, uint32_t id, uint32_t count);
uint32_t gridIsCooperative(ThreadContext *context);
void *allocate(ThreadContext *context, uint64_t bytes);
void release(ThreadContext *context, void *pointer);
[[noreturn]] void assertFail(ThreadContext *context, const char *expression, const char *file,
                             uint32_t line, const char *function);
[[noreturn]] void trap(ThreadContext *context);
[[noreturn]] void misaligned(ThreadContext *context, const void *where);
[[noreturn]] void stackOverflow(ThreadContext *context);
uint64_t globalTimer(ThreadContext *context);
uint64_t clockCycles(ThreadContext *context);

/// The fault of grid.sync() in a launch that is not cooperative, called from `code`.
[[noreturn]] void raiseNotCooperative(ThreadContext *context, uintptr_t code);

/// PTX ISA, "isspacep": shared memory and the thread's own stack (`is_local`) are windows of the
/// generic space; everything else is global. Constants are an address range of the globals, not
/// told apart.
uint32_t addressSpace(ThreadContext *context, const void *pointer, bool is_local);

} // namespace heddle::engine::services

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Host code that does a CUDA library's work (OpenBLAS, oneDNN, ...) and touches what must not be.
//
// On a GPU a library's kernel that is given a wild pointer ends with an illegal address, and the
// program lives on. Here it is host code, perhaps in several threads and with locks taken, so it
// must not be left in the middle. Instead the signal handler puts memory where there is none, the
// code goes on with zeros to its end, and the fault is reported then. Where no memory can be put
// (around null, outside the address space, read-only memory), the task's own thread jumps out.
#pragma once

#include "engine/fault.h"

#include <cstddef>
#include <cstdint>

namespace heddle::engine {

/// Calls body(argument). Returns true if it touched nothing wrong; false, with `fault` filled in,
/// otherwise. What is on the stack of `body` may not be destroyed then.
bool runHostTask(void (*body)(void *), void *argument, RawFault &fault);

/// Address space that belongs to devices: where it is inaccessible, a task's fault makes it
/// accessible. For ranges that are reserved until the process ends, or forgotten before.
void addDeviceRange(uintptr_t start, size_t size);
void forgetDeviceRange(uintptr_t start);

/// For the signal handler: puts memory at an address that this thread could not access at `code`.
/// False if the fault is no task's, or there can be no memory. `own`: a task runs on this thread.
bool lendMemory(uintptr_t address, uintptr_t code, bool own);

} // namespace heddle::engine

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What happens when device code does something it must not.
//
// A wild pointer in a kernel raises a signal in the middle of compiled code; an assert or a stack
// overflow is found by a call. Either way the kernel ends there and the host program lives on: a
// fault jumps out of the kernel to the runProtected call that was running it. Nothing is unwound,
// because device code owns no host resources.
#pragma once

#include "engine/launch.h"

#include <cstdint>

namespace heddle::engine {

enum class FaultKind {
  IllegalAddress,
  MisalignedAddress,
  IllegalInstruction,
  Assert,
  Trap,
  StackOverflow,
  Deadlock,
  Child, // a kernel that this one has launched has failed
};

/// A fault as it is caught: plain data, filled in without allocating.
struct RawFault {
  FaultKind kind = FaultKind::IllegalAddress;
  const void *address = nullptr; // what was accessed, if known
  uintptr_t code = 0;            // an address in the faulting code, or 0
  const char *expression = nullptr, *file = nullptr, *function = nullptr; // assert only
  uint32_t line = 0;
  const char *detail = nullptr; // static text, or null
  Fault *child = nullptr;       // FaultKind::Child; describeFault takes and deletes it
};

/// Calls body(argument). Returns true if it ended; false, with `fault` filled in, if it faulted.
/// Frames between here and the fault are abandoned: they must hold nothing that needs destroying.
/// `host_task`: the body is host code, which goes on where it can (host_task.h).
bool runProtected(void (*body)(void *), void *argument, RawFault &fault, bool host_task = false);

/// Lets signals come to this file that wrong accesses raise. runProtected does it by itself.
void installHandlers();
/// Whether they still do: the program may have handlers of its own since.
bool handlersAreInstalled();

/// Ends the innermost runProtected of this thread.
[[noreturn]] void raiseFault(const RawFault &fault);

/// The CUDA error and the words for people, for the host code of a library's call.
Fault describeTaskFault(const RawFault &fault, const char *call);

/// The CUDA error and the words for people. Looks up the source line with the JIT helper program.
Fault describeFault(const RawFault &fault, const KernelInfo &kernel, Dim3 block, Dim3 thread);

} // namespace heddle::engine

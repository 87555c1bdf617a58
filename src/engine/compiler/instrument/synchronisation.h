// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Marks the places where threads meet: barriers, operations of a warp, fences, and a thread's end.
//
// Each gets a call of the marker that accesses have (builtin_forms.h), barriers and operations of a
// warp one before and one behind, with the operands that observe::AccessKind names.
#pragma once

#include "llvm/IR/Module.h"

#include <functional>

namespace heddle::engine {

/// Expects addThreadContext's form. Threads end where functions return that are kernels.
void markSynchronisation(llvm::Module &module,
                         const std::function<bool(const llvm::Function &)> &isKernel);

} // namespace heddle::engine

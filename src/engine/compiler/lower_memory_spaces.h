// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gives variables their addresses: shared ones relative to the block's shared memory, device and
// constant ones relative to this device's globals (module/layout.h).
//
// Also writes `init_globals`, the function that sets the initial values in a fresh copy of the
// globals, addresses of other variables included. Runs after addThreadContext.
#pragma once

#include "module/layout.h"

namespace heddle::engine {

/// Returns the function void init_globals(ptr globals, ptr managed).
llvm::Function *lowerMemorySpaces(llvm::Module &module, const DeviceLayout &layout);

} // namespace heddle::engine

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the engine wants to know of a kernel before a launch, found out when the program is
// compiled: whether blocks may run side by side as one, and whether a loop over the grid may become
// a larger grid. The front end hands this to `prepareImage`, which knows nothing of engines.
#pragma once

#include "module/image.h"

#include "llvm/IR/Function.h"

namespace heddle::engine::simd {

/// KernelInfo::engine_facts of an optimised kernel. `kernel` has its parameters' places already.
std::string analyzeLaunches(llvm::Function &function, const KernelInfo &kernel);

} // namespace heddle::engine::simd

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds at compile time what the engine needs to know about a kernel before a launch: whether
// blocks may run side by side as one, whether a grid-stride loop may become a larger grid, and
// along which axis of a block threads access memory side by side. The front end passes the result
// to `prepareImage`, which does not depend on engines.
#pragma once

#include "module/image/image.h"

#include "llvm/IR/Function.h"

namespace heddle::engine::simd {

/// KernelInfo::engine_facts of an optimised kernel. Expects the parameters' offsets in `kernel`.
std::string analyzeLaunches(llvm::Function &function, const KernelInfo &kernel);

} // namespace heddle::engine::simd

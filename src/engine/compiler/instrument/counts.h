// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Marks what is counted while a kernel runs (engine/observe/counted_site.h): basic blocks, with the
// instructions in them; branches; accesses to memory. The marks change nothing in what the code
// does, and are calls that the SIMD compiler turns into a few additions (widen_counts.cpp).
#pragma once

#include "llvm/IR/Module.h"

namespace heddle::engine {

/// Expects addThreadContext's form, in which variables have not become addresses yet.
/// `events`: of observe::Events.
void markCounts(llvm::Module &module, uint32_t events);

} // namespace heddle::engine

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gives each thread's local variables a place in memory that the whole gang shares.
//
// A GPU interleaves local memory so that threads which use the same index touch neighbouring
// addresses (CUDA guide, "Local Memory"). So do we: element i of lane l lies at (i * lanes + l),
// and an access with a uniform index becomes one vector access. That takes a variable which is only
// ever loaded and stored in elements of one size; one whose address goes elsewhere is kept whole,
// a copy for each lane behind the other.
#pragma once

#include "llvm/IR/Function.h"

namespace heddle::engine::simd {

/// Replaces all allocas. They go to the gang's frame if `in_frame` (they must survive suspension)
/// or if they are large, from `frame_bytes` on, which grows; else to the stack.
void layOutPrivateMemory(llvm::Function &function, unsigned lanes, bool in_frame,
                         uint64_t &frame_bytes);

} // namespace heddle::engine::simd

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Allocates each thread's local variables in memory of the gang.
//
// A GPU interleaves local memory so that threads with the same index access neighbouring addresses
// (CUDA guide, "Local Memory"). Likewise element i of lane l is put at (i * lanes + l), so that an
// access with a uniform index is one vector access. This requires that all accesses are known and
// of elements of one size; a variable whose address escapes is laid out as a whole copy for each
// lane.
#pragma once

#include "llvm/IR/Function.h"

namespace heddle::engine::simd {

/// Replaces all allocas. They are put in the gang's frame, from `frame_bytes` on, which is
/// increased, if `in_frame` (they must survive suspension) or if they are large; otherwise on the
/// stack.
void layOutPrivateMemory(llvm::Function &function, unsigned lanes, bool in_frame,
                         uint64_t &frame_bytes);

} // namespace heddle::engine::simd

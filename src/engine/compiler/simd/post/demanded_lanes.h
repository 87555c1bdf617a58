// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Packs the demanded lanes of vectors and computes only these.
//
// A warp reduces its values by shuffles: lane i adds that of lane i + 16, then of i + 8, and so on,
// and lane 0 has the sum. All lanes compute in all steps, but of the last addition only lane 0 is
// demanded, of the one before lanes 0 and 1, of the first one half of the lanes. A GPU cannot
// exploit that; a CPU whose gang is eight warps can: the 256 lanes of a step are 16 registers of 16
// floats, but the demanded ones fit into 8, 4, 2 and 1 registers when packed, which takes no more
// instructions than the shuffles do.
//
// The same holds for tree reductions in shared memory that was promoted to registers, where every
// second, fourth, eighth thread adds.
#pragma once

#include "llvm/IR/Function.h"

namespace heddle::engine {

/// Packs operations that then need fewer vector registers of `register_bytes` bytes, where that
/// outweighs the cost of moving lanes. Results are bit-identical.
void packDemandedLanes(llvm::Function &function, unsigned register_bytes);

} // namespace heddle::engine

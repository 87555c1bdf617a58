// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Computes only the lanes that are demanded, side by side.
//
// A warp adds up its values by shuffles: its lane i adds that of lane i + 16, then of i + 8, and so
// on, and lane 0 has the sum. Written so, all lanes compute in all steps, but of the last addition
// only lane 0 has a use, of the one before lanes 0 and 1, of the first one half of the lanes. A GPU
// cannot gain from that; a CPU whose gang is eight warps can: the 256 lanes of a step are 16
// registers of 16 floats, but those that are needed fit into 8, 4, 2 and 1 if the warps' lanes are
// moved side by side, which takes no more instructions than the shuffles do.
//
// The same goes for trees in shared memory that is kept in registers, where every second, fourth,
// eighth thread adds.
#pragma once

#include "llvm/IR/Function.h"

namespace heddle::engine {

/// Does so for operations on vectors that need fewer vector registers of `register_bytes` then,
/// where that outweighs what is spent to move lanes. Results are the same bits.
void packDemandedLanes(llvm::Function &function, unsigned register_bytes);

} // namespace heddle::engine

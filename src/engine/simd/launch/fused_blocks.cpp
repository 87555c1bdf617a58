// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/simd/launch/fused_blocks.h"

#include <algorithm>

namespace heddle::engine::simd {

uint32_t fusedBlocks(const LaunchFacts &facts, uint32_t max_threads, const Dim3 &grid,
                     const Dim3 &block, unsigned lane_axis) {
  constexpr uint64_t enough_blocks = 64;
  const uint32_t fusible =
      lane_axis ? facts.axes.at(lane_axis).fusible_block_dim : facts.fusible_block_dim;
  if (fusible != block.x && fusible != any_block_dim)
    return 1;
  uint32_t longest = facts.fused_row;
  if (max_threads) // bounds threadIdx.x
    longest = std::min(longest, max_threads);
  uint32_t fused = 1;
  while (block.x * fused * 2 <= longest && grid.x % (fused * 2) == 0 &&
         grid.count() / (fused * 2) >= enough_blocks)
    fused *= 2;
  return fused;
}

} // namespace heddle::engine::simd

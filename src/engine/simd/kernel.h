// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The SIMD engine: runs a launch gang by gang, each in vector registers (abi.h, "The SIMD engine").
//
// Compiled code waits by returning, so a block needs no stack of its own and a worker runs all its
// gangs as plain calls.
#pragma once

#include "engine/schedule/resident_block.h"
#include "engine/simd/launch/choices.h"
#include "engine/simd/launch/kept_counts.h"

namespace heddle::engine::simd {

class Kernel final : public KernelCode {
public:
  /// `fused`: number of blocks that run as one. `grid_x`: that of the program's launch, if it was
  /// expanded.
  explicit Kernel(const SimdKernelInfo &info, uint32_t fused = 1, uint32_t grid_x = ~0u,
                  Choices allowed = Choices::all())
      : info(info), allowed(allowed) {
    fused_blocks = fused;
    told_grid_x = grid_x;
    streams = info.streamed_bytes != 0 && allowed.allow(Choice::StreamStores);
    stalls_before_more = 0; // only waiting loops spin (suspend_points.h)
  }

  /// Makes the choices that depend on the launch's arguments (kept_appends.h, kept_counts.h).
  void prepare(const Launch &launch);

  std::unique_ptr<ResidentBlock> makeBlock(Grid &grid) const override;
  bool reuseBlock(ResidentBlock &block, Grid &grid) const override;
  void abandonStacks() const override;

  const SimdKernelInfo &info;
  const Choices allowed;
  uint32_t kept_appends = 1; // keptAppends of the launch
  CountedArrays counted;     // countedArrays of the launch
};

} // namespace heddle::engine::simd

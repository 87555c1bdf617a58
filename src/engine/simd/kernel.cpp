// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/simd/kernel.h"

#include "engine/simd/block.h"
#include "engine/simd/launch/kept_appends.h"

namespace heddle::engine::simd {

void Kernel::prepare(const Launch &launch) {
  if (allowed.allow(Choice::AggregateAppends))
    kept_appends = keptAppends(info, launch);
  if (allowed.allow(Choice::PrivatizeHistograms))
    counted = countedArrays(info, launch);
}

std::unique_ptr<ResidentBlock> Kernel::makeBlock(Grid &grid) const {
  return std::make_unique<Block>(grid);
}

bool Kernel::reuseBlock(ResidentBlock &block, Grid &grid) const {
  auto *ours = dynamic_cast<Block *>(&block);
  return ours && ours->reuse(grid);
}

void Kernel::abandonStacks() const {
  leaveFiber();
  Block::fibersOfThisWorker().abandonAll();
}

} // namespace heddle::engine::simd

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The reference engine: runs each thread of a launch on a fiber.
//
// It defines correct behaviour: scalar code, one thread at a time in ascending order, each block on
// one worker of the pool. It is kept simple for that reason.
#pragma once

#include "engine/schedule/resident_block.h"

namespace heddle::engine::reference {

class Kernel final : public KernelCode {
public:
  explicit Kernel(const KernelEntryInfo &info) : info(info) {}

  std::unique_ptr<ResidentBlock> makeBlock(Grid &grid) const override;
  bool reuseBlock(ResidentBlock &block, Grid &grid) const override;
  void abandonStacks() const override;

  const KernelEntryInfo &info;
};

} // namespace heddle::engine::reference

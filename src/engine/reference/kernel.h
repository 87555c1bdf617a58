// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The reference engine: runs a launch by giving every thread a fiber.
//
// It defines what is right: scalar code, one thread at a time in ascending order, each block on one
// worker of the pool. Simple enough to be believed.
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

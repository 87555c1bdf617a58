// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device memory for tests of what a launch's pointers lead to.
#pragma once

#include "engine/launch.h"

namespace heddle::engine {

/// Nine allocations, one at each multiple of `step` below ten of these; the last tenth of a step is
/// in no allocation.
class FakeAllocations final : public Allocations {
public:
  explicit FakeAllocations(uintptr_t step) : step_(step) {}
  const void *baseOf(const void *address) const override {
    const auto place = reinterpret_cast<uintptr_t>(address);
    const bool known = place >= step_ && place < 10 * step_ && place % step_ < bytes();
    return known ? reinterpret_cast<const void *>(place / step_ * step_) : nullptr;
  }
  uint64_t bytesBehind(const void *address) const override {
    return baseOf(address) ? bytes() - reinterpret_cast<uintptr_t>(address) % step_ : 0;
  }

private:
  uintptr_t bytes() const { return step_ / 10 * 9; }
  const uintptr_t step_;
};

} // namespace heddle::engine

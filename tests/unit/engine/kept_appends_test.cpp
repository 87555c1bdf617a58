// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// When a launch may keep what it appends to queues (simd/kept_appends.h).
#include "engine/simd/kept_appends.h"

#include "engine/simd/kernel.h"

#include <gtest/gtest.h>

using namespace heddle;
using namespace heddle::engine;

namespace {

// A kernel of four pointers; to what the first two point into is appended.
class FourPointers final : public Program {
public:
  FourPointers() {
    info_.kernels.resize(1);
    for (uint32_t i = 0; i < 4; ++i)
      info_.kernels[0].parameters.push_back({.offset = i * 8, .size = 8});
  }
  const ImageInfo &info() const override { return info_; }
  int findKernel(std::string_view) const override { return 0; }
  void ensureCompiled(int, const Dim3 &, const Dim3 &) override {}
  void initGlobals(void *, void *(*)(void *, const char *), void *) override {}

private:
  ImageInfo info_;
};

// Of 900 bytes each, from 1000, 2000 … 9000 on.
class Thousands final : public Allocations {
public:
  const void *baseOf(const void *address) const override {
    const auto place = reinterpret_cast<uintptr_t>(address);
    const bool known = place >= 1000 && place < 10'000 && place % 1000 < 900;
    return known ? reinterpret_cast<const void *>(place / 1000 * 1000) : nullptr;
  }
  uint64_t bytesBehind(const void *address) const override {
    return baseOf(address) ? 900 - reinterpret_cast<uintptr_t>(address) % 1000 : 0;
  }
};

struct Pointers {
  uintptr_t count = 1000, queue = 2000, in = 3000, other = 4000;
};

uint32_t keptOf(const Pointers &pointers, uint64_t appended = 0b11, uint64_t accessed = 0b1100,
                bool with_allocations = true) {
  FourPointers program;
  const Thousands allocations;
  Launch launch;
  launch.program = &program;
  launch.parameters = &pointers;
  if (with_allocations)
    launch.device.allocations = &allocations;
  SimdKernelInfo info = {};
  info.appended = appended;
  info.accessed = accessed;
  return simd::keptAppends(info, launch);
}

TEST(KeptAppends, IfNothingElseIsThere) {
  EXPECT_EQ(keptOf({}), most_kept_appends);
  EXPECT_EQ(keptOf({.in = 3500}), most_kept_appends);
  EXPECT_EQ(keptOf({.other = 3000}), most_kept_appends); // both are only read
}

TEST(KeptAppends, NoneInOneAllocation) {
  EXPECT_EQ(keptOf({.in = 2400}), 1u);
  EXPECT_EQ(keptOf({.other = 1899}), 1u);
  EXPECT_EQ(keptOf({.queue = 1100}), 1u);                           // with its count
  EXPECT_EQ(keptOf({.in = 2400}, 0b11, 0b1000), most_kept_appends); // it is not accessed
}

// p[-1] is in the allocation before.
TEST(KeptAppends, NoneIfAPointerIsJustBehind) {
  EXPECT_EQ(keptOf({.in = 2900}), 1u);
  EXPECT_EQ(keptOf({.in = 2901}), 1u); // who knows what it is for
  EXPECT_EQ(keptOf({.in = 3900}), most_kept_appends);
}

TEST(KeptAppends, NoneInUnknownMemory) {
  EXPECT_EQ(keptOf({.in = 20'000}), 1u);
  EXPECT_EQ(keptOf({.queue = 20'000}), 1u);
  EXPECT_EQ(keptOf({.other = 0}), most_kept_appends); // it will not be used
  EXPECT_EQ(keptOf({}, 0b11, 0b1100, false), 1u);
}

TEST(KeptAppends, NoneOfOtherKernels) { EXPECT_EQ(keptOf({}, 0, 0), 1u); }

} // namespace

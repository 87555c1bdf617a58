// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// When a launch may keep what it appends to queues (simd/kept_appends.h).
#include "engine/simd/launch/kept_appends.h"

#include "fake_allocations.h"

#include <gtest/gtest.h>

using namespace heddle;
using namespace heddle::engine;

namespace {

struct Pointers {
  uintptr_t count = 1000, queue = 2000, in = 3000, other = 4000;
};

uint32_t keptOf(const Pointers &pointers, uint64_t appended = 0b11, uint64_t accessed = 0b1100,
                bool with_allocations = true) {
  const FakeAllocations allocations(1000);
  Launch launch;
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

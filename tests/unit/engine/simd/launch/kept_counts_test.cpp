// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which arrays a launch's workers may count in tables of their own (simd/kept_counts.h).
#include "engine/simd/launch/kept_counts.h"

#include "fake_allocations.h"

#include <gtest/gtest.h>
#include <numeric>

using namespace heddle;
using namespace heddle::engine;

namespace {

struct Pointers {
  uintptr_t counts = 10'000, others = 20'000, keys = 30'000;
};

// Something is added to what the first two point to, and the third is read.
simd::CountedArrays arraysOf(const Pointers &pointers, uint32_t threads = 1 << 20,
                             uint64_t counted = 0b11, uint64_t wide = 0, uint64_t uncounted = 4) {
  const FakeAllocations allocations(10'000);
  Launch launch;
  launch.parameters = &pointers;
  launch.device.allocations = &allocations;
  launch.grid = {threads / 256, 1, 1};
  launch.block = {256, 1, 1};
  SimdKernelInfo info = {};
  info.counted = counted;
  info.wide_counted = wide;
  info.uncounted = uncounted;
  return simd::countedArrays(info, launch);
}

TEST(CountedArrays, ReachFromThePointerToTheEndOfTheAllocation) {
  const auto arrays = arraysOf({.counts = 10'004, .others = 28'992});
  EXPECT_EQ(arrays[0].begin, reinterpret_cast<char *>(10'004));
  EXPECT_EQ(arrays[0].bytes, 8996u);
  EXPECT_FALSE(arrays[0].wide);
  EXPECT_EQ(arrays[1].bytes, 8u);
  EXPECT_EQ(arrays[2].bytes, 0u);
}

TEST(CountedArrays, MayBeOfWideNumbers) {
  const auto arrays = arraysOf({.others = 20'008}, 1 << 20, 0b11, 0b10);
  EXPECT_FALSE(arrays[0].wide);
  EXPECT_TRUE(arrays[1].wide);
  EXPECT_EQ(arrays[1].bytes, 8992u);
}

TEST(CountedArrays, NotIfTheirAllocationsAreAccessedOtherwise) {
  EXPECT_EQ(arraysOf({.keys = 10'100})[0].bytes, 0u);
  EXPECT_EQ(arraysOf({.others = 10'100})[0].bytes, 0u);
  EXPECT_EQ(arraysOf({.keys = 5})[0].bytes, 0u);   // not known
  EXPECT_EQ(arraysOf({.counts = 5})[0].bytes, 0u); // memory of the host, say
  EXPECT_NE(arraysOf({.keys = 0})[0].bytes, 0u);   // leads nowhere
}

TEST(CountedArrays, NotIfTheyAreLargeForSoFewThreads) {
  EXPECT_NE(arraysOf({}, 9000 / 4 * 8 + 256)[0].bytes, 0u);
  EXPECT_EQ(arraysOf({}, 9000 / 4 * 8 - 256)[0].bytes, 0u);
}

TEST(CountedArrays, NotIfTheirElementsAreNotAligned) {
  const auto arrays = arraysOf({.counts = 10'002});
  EXPECT_EQ(arrays[0].bytes, 0u);
  EXPECT_NE(arrays[1].bytes, 0u);
}

TEST(CountTables, AreAddedToTheArraysAndBecomeZeros) {
  std::vector<uint32_t> narrow(100, 7);
  std::vector<uint64_t> wide(50, uint64_t(1) << 40);
  simd::CountedArrays arrays;
  arrays[0] = {reinterpret_cast<char *>(narrow.data()), 400, false};
  arrays[2] = {reinterpret_cast<char *>(wide.data()), 400, true};
  simd::CountTables tables;
  KeptCounts counts[most_kept_counts];
  for (int round = 1; round <= 2; ++round) {
    tables.prepare(arrays, counts);
    EXPECT_EQ(counts[0].bytes, 400u);
    EXPECT_EQ(counts[1].bytes, 0u);
    EXPECT_EQ(counts[2].bytes, 400u);
    reinterpret_cast<uint32_t *>(counts[0].table)[99] -= 9;
    reinterpret_cast<uint64_t *>(counts[2].table)[1] += uint64_t(1) << 41;
    tables.putBack();
    tables.putBack(); // of nothing
    EXPECT_EQ(narrow[99], uint32_t(7 - 9 * round));
    EXPECT_EQ(wide[1], (uint64_t(1) << 40) + (uint64_t(round) << 41));
  }
  EXPECT_EQ(narrow[98], 7u);
  EXPECT_EQ(std::accumulate(wide.begin() + 2, wide.end(), uint64_t(0)), uint64_t(48) << 40);
}

} // namespace

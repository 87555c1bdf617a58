// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How multiprocessors are divided (CUDA C++ Programming Guide, "Green Contexts").
#include "device/partition/multiprocessors.h"

#include <climits>
#include <gtest/gtest.h>

using heddle::divide;
using heddle::Division;
using heddle::Grain;
using heddle::grainOf;

namespace {

heddle::gpu::Gpu gpuOf(int major) {
  heddle::gpu::Gpu gpu;
  gpu.compute_major = major;
  return gpu;
}

void expectGrain(const Grain &grain, unsigned least, unsigned alignment) {
  EXPECT_EQ(grain.least, least);
  EXPECT_EQ(grain.alignment, alignment);
}

TEST(Partition, GrainsOfArchitectures) {
  expectGrain(grainOf(gpuOf(6)), 1, 1);
  expectGrain(grainOf(gpuOf(7)), 2, 2);
  expectGrain(grainOf(gpuOf(8)), 4, 2);
  expectGrain(grainOf(gpuOf(9)), 8, 8);
  expectGrain(grainOf(gpuOf(12)), 8, 8);
  expectGrain(grainOf(gpuOf(9), true), 2, 2);
  expectGrain(grainOf(gpuOf(9), false, true), 16, 8);
}

void expectDivision(unsigned all, unsigned wanted, const Grain &grain, unsigned most,
                    const Division &expected) {
  const auto found = divide(all, wanted, grain, most);
  ASSERT_TRUE(found) << all << " by " << wanted;
  EXPECT_EQ(found->groups, expected.groups);
  EXPECT_EQ(found->each, expected.each);
  EXPECT_EQ(found->remaining, expected.remaining);
}

TEST(Partition, GroupsAreAlike) {
  const Grain hopper = {8, 8};
  expectDivision(132, 8, hopper, UINT_MAX, {16, 8, 4});
  expectDivision(132, 0, hopper, UINT_MAX, {16, 8, 4}); // the smallest
  expectDivision(132, 9, hopper, UINT_MAX, {8, 16, 4});
  expectDivision(132, 8, hopper, 3, {3, 8, 108});
  expectDivision(132, 128, hopper, UINT_MAX, {1, 128, 4});
  expectDivision(108, 3, {4, 2}, UINT_MAX, {27, 4, 0});
}

TEST(Partition, WhatDoesNotFitIsRefused) {
  EXPECT_FALSE(divide(132, 133, {8, 8}, UINT_MAX));
  EXPECT_FALSE(divide(132, 129, {8, 8}, UINT_MAX)); // 136 with the alignment
  EXPECT_FALSE(divide(4, 1, {8, 8}, UINT_MAX));
  EXPECT_FALSE(divide(132, 8, {8, 8}, 0));
}

using heddle::groupSize;
using heddle::isGroup;

TEST(Partition, GroupsThatThereAre) {
  EXPECT_TRUE(isGroup(gpuOf(9), {16, 8}, 132));
  EXPECT_TRUE(isGroup(gpuOf(9), {0}, 132));
  EXPECT_TRUE(isGroup(gpuOf(9), {10, 8, 0, true}, 132));
  EXPECT_TRUE(isGroup(gpuOf(9), {32, 8, 16}, 132));
  EXPECT_FALSE(isGroup(gpuOf(9), {9}, 132));
  EXPECT_FALSE(isGroup(gpuOf(9), {134}, 132));
  EXPECT_FALSE(isGroup(gpuOf(9), {10, 8}, 132));
  EXPECT_FALSE(isGroup(gpuOf(9), {64, 64}, 132));
  EXPECT_FALSE(isGroup(gpuOf(9), {32, 8, 12}, 132));
  EXPECT_TRUE(isGroup(gpuOf(8), {10, 2}, 40));
  EXPECT_FALSE(isGroup(gpuOf(8), {16, 8}, 40));
}

TEST(Partition, SizesOfGroups) {
  const Grain grain = {8, 8};
  EXPECT_EQ(groupSize({16, 8}, grain, 132), 16u);
  EXPECT_EQ(groupSize({10, 2}, grain, 132), 10u);
  EXPECT_EQ(groupSize({10}, grain, 132), std::nullopt); // not in eights
  EXPECT_EQ(groupSize({10, 0, 0, true}, grain, 132), 10u);
  EXPECT_EQ(groupSize({16}, grain, 12), std::nullopt);
  EXPECT_EQ(groupSize({0}, grain, 132), 128u);
  EXPECT_EQ(groupSize({0, 2, 0, true}, grain, 131), 131u);
  EXPECT_EQ(groupSize({0}, grain, 6), 0u);
  EXPECT_EQ(groupSize({6, 8, 0, true}, grain, 6), std::nullopt); // not even one piece
}

} // namespace

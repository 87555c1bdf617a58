// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which launches are turned, and which have gangs that are pieces of rows (plan.h).
#include "engine/simd/launch/lane_axis.h"
#include "engine/simd/launch/padded_rows.h"
#include "engine/simd/launch/plan.h"

#include <gtest/gtest.h>

using namespace heddle::engine;
using namespace heddle::engine::simd;

namespace {

// Of matrix products: uniform, contiguous and scattered along x and y; z is not used.
const LaunchFacts row_on_x = {.axes = {{8, 0, 9}, {8, 9, 0}, {17, 0, 0}}},
                  row_on_y = {.axes = {{8, 9, 0}, {8, 0, 9}, {17, 0, 0}}};

TEST(LaneAxis, IsTheOneThatCostsLess) {
  for (const Dim3 &block : {Dim3{16, 16}, Dim3{32, 8}, Dim3{8, 32}, Dim3{1, 256}, Dim3{32, 32}}) {
    EXPECT_EQ(laneAxis(row_on_x, block), 1u) << block.x;
    EXPECT_EQ(laneAxis(row_on_y, block), 0u) << block.x;
  }
  EXPECT_EQ(laneAxis(row_on_x, {256}), 0u);
  EXPECT_EQ(laneAxis({}, {16, 16}), 0u);
  const LaunchFacts along_z = {.axes = {{0, 0, 2}, {0, 0, 2}, {0, 2, 0}}};
  EXPECT_EQ(laneAxis(along_z, {4, 4, 16}), 2u);
  EXPECT_EQ(laneAxis(along_z, {16, 16}), 0u);
}

// Transpositions cost the same along both; three lanes are no vectors.
TEST(LaneAxis, IsXUnlessAnotherIsClearlyBetter) {
  const LaunchFacts transposition = {.axes = {{0, 1, 1}, {0, 1, 1}, {2, 0, 0}}};
  EXPECT_EQ(laneAxis(transposition, {16, 16}), 0u);
  EXPECT_EQ(laneAxis(row_on_x, {16, 3}), 0u);
  EXPECT_EQ(laneAxis(row_on_x, {16, 7}), 1u);
}

// Threads along an axis that the kernel does not ask for all do the same.
TEST(LaneAxis, IsOneThatTheKernelAsksFor) {
  EXPECT_EQ(laneAxis(row_on_y, {8, 8, 8}), 0u);
  EXPECT_EQ(laneAxis(row_on_x, {8, 8, 8}), 1u);
}

TEST(LaneAxis, IsPartOfThePlan) {
  const LaunchPlan plan = planLaunch(row_on_x, {}, {64, 64}, {8, 32}, true, Choices::all());
  EXPECT_EQ(plan.lane_axis, 1u);
  EXPECT_EQ(plan.variant.engineName(), "simd:32x256:whole:y");
  EXPECT_EQ(planLaunch(row_on_x, {}, {64, 64}, {16, 16}, true, Choices::all()).variant.engineName(),
            "simd:16x256:whole:y");
  const Choices others = Choices::all().without(Choice::TurnBlocks);
  EXPECT_EQ(planLaunch(row_on_x, {}, {64, 64}, {16, 16}, true, others).variant.engineName(),
            "simd:16x256:whole");
  EXPECT_EQ(planLaunch(row_on_x, {}, {64, 64}, {16, 16}, false, Choices::all()).lane_axis, 0u);
  LaunchFacts fusible = row_on_x;
  fusible.fusible_block_dim = any_block_dim;
  EXPECT_EQ(planLaunch(fusible, {}, {64, 32}, {8, 8}, true, Choices::all()).fused_blocks, 1u);
  fusible.axes[1].fusible_block_dim = any_block_dim;
  const LaunchPlan fused = planLaunch(fusible, {}, {63, 32}, {8, 4}, true, Choices::all());
  EXPECT_EQ(fused.fused_blocks, 8u); // along y
  EXPECT_EQ(fused.variant.engineName(), "simd:32x256:whole:y");
}

// Where a warp would be parts of several rows, or gangs so narrow that half of their lanes may be
// idle.
TEST(PaddedRows, AreThoseThatAreNoWholeGangs) {
  for (const Dim3 &block : {Dim3{20, 20}, Dim3{24, 24}, Dim3{10, 10}, Dim3{5, 5}, Dim3{33, 32},
                            Dim3{40, 3}, Dim3{7, 1, 5}})
    EXPECT_TRUE(padsRows(row_on_y, block)) << block.x;
  for (const Dim3 &block :
       {Dim3{16, 16}, Dim3{32, 8}, Dim3{3, 100}, Dim3{48, 4}, Dim3{8, 5}, Dim3{100}, Dim3{16, 3}})
    EXPECT_FALSE(padsRows(row_on_y, block)) << block.x;
  EXPECT_FALSE(padsRows({}, {20, 20})); // warps are seen
}

TEST(PaddedRows, ArePartOfThePlan) {
  const LaunchPlan plan = planLaunch(row_on_x, {}, {64, 64}, {8, 20}, true, Choices::all());
  EXPECT_TRUE(plan.padded_rows);
  EXPECT_EQ(plan.variant.engineName(), "simd:32:partial:y");
  for (Choice choice : {Choice::PadRows, Choice::WideGangs})
    EXPECT_FALSE(planLaunch(row_on_y, {}, {64, 64}, {20, 20}, true, Choices::all().without(choice))
                     .padded_rows);
  EXPECT_FALSE(planLaunch(row_on_y, {}, {64, 64}, {20, 20}, false, Choices::all()).padded_rows);
}

TEST(LaneAxis, TurningTwiceIsNothing) {
  const Dim3 shape = {2, 3, 5};
  for (unsigned axis = 0; axis < 3; ++axis) {
    const Dim3 there = turned(shape, axis), again = turned(there, axis);
    EXPECT_EQ(there.x, axis == 0 ? 2u : axis == 1 ? 3u : 5u);
    EXPECT_EQ(there.count(), shape.count());
    EXPECT_TRUE(again.x == shape.x && again.y == shape.y && again.z == shape.z);
  }
}

} // namespace

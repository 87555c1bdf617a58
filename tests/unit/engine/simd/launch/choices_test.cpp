// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What HEDDLE_SIMD_DISABLE takes away, and what a launch then is (choices.h, plan.h).
#include "engine/simd/launch/choices.h"
#include "engine/simd/launch/plan.h"

#include <gtest/gtest.h>

using namespace heddle;
using namespace heddle::engine;
using namespace heddle::engine::simd;

namespace {

Choices without(std::string_view names) {
  std::vector<std::string> unknown;
  const Choices result = choicesWithout(names, unknown);
  EXPECT_TRUE(unknown.empty()) << unknown.front();
  return result;
}

TEST(Choices, TheTableIsInOrder) {
  for (size_t i = 0; i < choices().size(); ++i)
    EXPECT_EQ(size_t(choices()[i].choice), i);
}

TEST(Choices, NamesTakeThemAway) {
  EXPECT_EQ(without(""), Choices::all());
  EXPECT_EQ(without("all"), Choices::none());
  for (const ChoiceInfo &info : choices())
    EXPECT_EQ(without(info.name), Choices::all().without(info.choice));
  const Choices two = without("wide-gangs,fuse-blocks");
  EXPECT_FALSE(two.allow(Choice::WideGangs));
  EXPECT_FALSE(two.allow(Choice::FuseBlocks));
  EXPECT_TRUE(two.allow(Choice::StreamStores));
}

TEST(Choices, UnknownNamesAreTold) {
  std::vector<std::string> unknown;
  EXPECT_EQ(choicesWithout("strips,fuse-blocks,", unknown),
            Choices::all().without(Choice::FuseBlocks));
  EXPECT_EQ(unknown, std::vector<std::string>{"strips"});
}

TEST(LaunchPlan, IsTheProgramsOwnWithoutChoices) {
  const LaunchFacts facts = {.fusible_block_dim = any_block_dim};
  const LaunchPlan best = planLaunch(facts, {}, {64, 64}, {8, 8}, true, Choices::all());
  EXPECT_EQ(best.fused_blocks, 4u);
  const LaunchPlan own = planLaunch(facts, {}, {64, 64}, {8, 8}, true, Choices::none());
  EXPECT_EQ(own.fused_blocks, 1u);
  EXPECT_EQ(own.variant.engineName(), "simd:8x32:full:warps");
  EXPECT_EQ(planLaunch(facts, {}, {64}, {256}, true, Choices::none()).variant.engineName(),
            "simd:32:full:warps");
  EXPECT_EQ(planLaunch(facts, {}, {64}, {100}, true, Choices::none()).variant.engineName(),
            "simd:32:partial:warps");
}

TEST(LaunchPlan, BlocksOfAClusterAreNotFused) {
  const LaunchFacts facts = {.fusible_block_dim = any_block_dim};
  EXPECT_EQ(planLaunch(facts, {}, {64, 64}, {8, 8}, false, Choices::all()).fused_blocks, 1u);
}

TEST(LaunchFacts, TravelAsText) {
  const LaunchFacts facts = {.fusible_block_dim = 16,
                             .fused_row = 64,
                             .grid_stride = {8, 4, {{16, 4, true}}},
                             .axes = {{1, 2, 3, 4}}};
  const LaunchFacts again = readFacts(writeFacts(facts));
  EXPECT_EQ(again.fusible_block_dim, 16u);
  EXPECT_EQ(again.fused_row, 64u);
  EXPECT_EQ(again.grid_stride.arrays.at(0).parameter, 16u);
  EXPECT_TRUE(again.grid_stride.arrays.at(0).stored);
  EXPECT_EQ(again.axes.at(0).scattered, 3);
  EXPECT_EQ(again.axes.at(0).fusible_block_dim, 4u);
  EXPECT_EQ(readFacts("").fused_row, LaunchFacts().fused_row);
  // Programs that an older compiler made know less.
  EXPECT_EQ(readFacts(R"({"fused_row": 7})").fused_row, 7U);
  EXPECT_TRUE(readFacts(R"({"fused_row": 7})").axes.empty());
}

} // namespace

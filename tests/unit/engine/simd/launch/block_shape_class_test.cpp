// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which variant of SIMD code a shape of block asks for, and what keeps a launch from using it.
#include "engine/simd/launch/block_shape_class.h"
#include "engine/simd/launch/fused_blocks.h"

#include <gtest/gtest.h>
#include <set>

using namespace heddle::engine;
using simd::variantFor;

namespace {

TEST(Variant, FollowsTheShapeOfTheBlock) {
  const std::pair<Dim3, const char *> expected[] = {
      {{256}, "simd:256:whole"},
      {{32}, "simd:32:whole"},
      {{1024}, "simd:1024:whole"},
      {{384}, "simd:128:full"},
      {{192}, "simd:64:full"},
      {{96}, "simd:32:full"},
      {{1}, "simd:32:partial"},
      {{100}, "simd:32:partial"},
      {{16, 1}, "simd:32:partial"},
      {{32, 8}, "simd:32x256:whole"},
      {{32, 16}, "simd:32x128:full"},
      {{32, 32}, "simd:32x128:full"},
      {{32, 2}, "simd:32x64:whole"},
      {{32, 6}, "simd:32x64:full"},
      {{32, 3}, "simd:32:full"},
      {{32, 2, 5}, "simd:32x64:full"},
      {{32, 3, 2}, "simd:32:full"}, // 64 threads may have rows of
                                    // two layers
      {{96, 2}, "simd:32:full"},
      {{64, 3, 2}, "simd:64:full"},
      {{512, 2}, "simd:128:full"},
      {{16, 16}, "simd:16x256:whole"}, // a gang may be all of the block
      {{16, 32}, "simd:16x128:full"},
      {{16, 4, 4}, "simd:16x64:full"},
      {{16, 2}, "simd:16x32:whole"},
      {{16, 6}, "simd:16x32:full"},
      {{8, 8}, "simd:8x64:whole"},
      {{8, 16}, "simd:8x128:whole"}, // of 16 rows, but no more
      {{8, 32}, "simd:8x64:full"},
      {{4, 16}, "simd:4x64:whole"},
      {{8, 8, 8}, "simd:8x64:full"},
      {{4, 8, 4}, "simd:4x32:full"},
      {{1, 256}, "simd:1x32:full"},
      {{16, 3}, "simd:16x32:partial"}, // the last warp is half full, yet made of rows
      {{16, 3, 2}, "simd:16:full"},    // a warp may have rows of two layers
      {{4, 4, 4}, "simd:4:full"},
      {{48, 2}, "simd:16:full"},
      {{24, 4}, "simd:8:full"},
      {{6, 6}, "simd:2:partial"},
      {{7, 5}, "simd:1:partial"},
      {{1, 1, 64}, "simd:1:full"},
      {{2, 16, 3}, "simd:2x32:full"},
      {{33, 32}, "simd:1:full"},
  };
  for (const auto &[block, name] : expected)
    EXPECT_EQ(variantFor(block).engineName(), name) << block.x << "," << block.y << "," << block.z;
}

// Rows become those of a warp, if as many blocks lie side by side and many remain.
TEST(Variant, NarrowBlocksAreFused) {
  simd::LaunchFacts facts;
  uint32_t bounds = 0;
  const Dim3 grid = {64, 64};
  EXPECT_EQ(simd::fusedBlocks(facts, bounds, grid, {8, 8}), 1u);
  facts.fusible_block_dim = simd::any_block_dim;
  for (const auto &[width, fused] : {std::pair{1u, 32u},
                                     {2u, 16u},
                                     {8u, 4u},
                                     {10u, 2u},
                                     {16u, 2u},
                                     {17u, 1u},
                                     {32u, 1u},
                                     {256u, 1u}})
    EXPECT_EQ(simd::fusedBlocks(facts, bounds, grid, {width, 8}), fused) << width;
  EXPECT_EQ(simd::fusedBlocks(facts, bounds, {66, 64}, {8, 8}), 2u);
  EXPECT_EQ(simd::fusedBlocks(facts, bounds, {63, 64}, {8, 8}), 1u);
  EXPECT_EQ(simd::fusedBlocks(facts, bounds, {64, 2}, {8, 8}), 2u);
  EXPECT_EQ(simd::fusedBlocks(facts, bounds, {64}, {8, 8}), 1u);
  facts.fusible_block_dim = 16; // it is written so in the code
  EXPECT_EQ(simd::fusedBlocks(facts, bounds, grid, {16, 8}), 2u);
  EXPECT_EQ(simd::fusedBlocks(facts, bounds, grid, {8, 8}), 1u);
  bounds = 16; // so threadIdx.x is known to be small
  EXPECT_EQ(simd::fusedBlocks(facts, bounds, grid, {16}), 1u);
}

// Rows become as long as the kernel's elements want them, and no longer than it knows them to be.
TEST(Variant, BlocksOfSmallElementsAreFusedToLongRows) {
  simd::LaunchFacts facts;
  uint32_t bounds = 0;
  const Dim3 grid = {64, 64};
  facts.fusible_block_dim = simd::any_block_dim;
  facts.fused_row = 128;
  EXPECT_EQ(simd::fusedBlocks(facts, bounds, grid, {32, 8}), 4u);
  EXPECT_EQ(simd::fusedBlocks(facts, bounds, grid, {16, 16}), 8u);
  EXPECT_EQ(simd::fusedBlocks(facts, bounds, grid, {128, 2}), 1u);
  EXPECT_EQ(simd::fusedBlocks(facts, bounds, {62, 64}, {32, 8}), 2u);
  bounds = 64;
  EXPECT_EQ(simd::fusedBlocks(facts, bounds, grid, {32, 2}), 2u);
  bounds = 32;
  EXPECT_EQ(simd::fusedBlocks(facts, bounds, grid, {16, 2}), 2u);
}

TEST(Variant, EachHasAPlaceOfItsOwn) {
  std::set<uint32_t> indices;
  std::set<std::string> names;
  for (uint32_t x = 1; x <= 1024; x += x < 256 ? 1 : 64)
    for (uint32_t y = 1; y <= 16; ++y)
      for (uint32_t z = 1; z <= 4; ++z) {
        const simd::Variant variant = variantFor({x, y, z});
        EXPECT_LT(variant.index(), simd::Variant::count);
        const simd::Variant of_warps = simd::variantFor({x, y, z}, true);
        EXPECT_LT(of_warps.index(), simd::Variant::count);
        EXPECT_LE(std::max(of_warps.granularity, of_warps.tiled), 32u);
        indices.insert({variant.index(), of_warps.index()});
        names.insert({variant.engineName(), of_warps.engineName()});
      }
  EXPECT_EQ(indices.size(), names.size());
}

void entry(GangContext *, const void *, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t) {}

TEST(Variant, WhyNot) {
  const char *pointers[] = {reinterpret_cast<char *>(0x1000), reinterpret_cast<char *>(0x1004)};
  Launch launch;
  launch.parameters = pointers;
  launch.grid = {100};
  launch.block = {256};
  SimdKernelInfo info = {};
  info.reason = "indirect calls";
  EXPECT_STREQ(simd::whyNot(info, launch), "indirect calls");
  info.entry = entry;
  EXPECT_EQ(simd::whyNot(info, launch), nullptr);

  AlignedParameter aligned[] = {{0, 16}, {8, 4}};
  info.aligned = aligned;
  info.aligned_count = 2;
  EXPECT_EQ(simd::whyNot(info, launch), nullptr);
  aligned[1].alignment = 8;
  EXPECT_NE(simd::whyNot(info, launch), nullptr);
  aligned[1].alignment = 4;

  launch.grid = {(1u << 23) - 1};
  EXPECT_EQ(simd::whyNot(info, launch), nullptr);
  launch.grid = {1u << 23};
  EXPECT_NE(simd::whyNot(info, launch), nullptr);
}

} // namespace

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The model of a GPU's caches (engine/observe/caches): its rules, and the order of blocks.
#include "engine/observe/caches/replay.h"

#include "gtest/gtest.h"

#include <numeric>

using namespace heddle::engine::observe;

namespace {

constexpr CacheSizes sizes = {.l1_bytes = 1024, .l2_bytes = 4096}; // 8 and 32 lines

std::vector<uint64_t> sectorsFrom(uint64_t first, size_t count) {
  std::vector<uint64_t> result(count);
  std::iota(result.begin(), result.end(), first);
  return result;
}

// One SM, one access after the other.
struct Single {
  CacheHierarchy caches{sizes, 1};
  CacheTraffic access(CacheUse use, uint64_t line, uint32_t sectors) {
    CacheTraffic traffic;
    if (const uint32_t missing = caches.accessL1(0, use, line, sectors, traffic))
      caches.accessL2(0, use, line, missing, traffic);
    return traffic;
  }
};

} // namespace

TEST(CacheModel, LoadsAreKeptInBothCaches) {
  Single gpu;
  const CacheTraffic first = gpu.access(CacheUse::Load, 5, 0b0001);
  EXPECT_EQ(first.l1_hits, 0u);
  EXPECT_EQ(first.l2_hits, 0u);
  EXPECT_EQ(first.dram_sectors, 2u); // 64 bytes
  const CacheTraffic again = gpu.access(CacheUse::Load, 5, 0b0011);
  EXPECT_EQ(again.l1_hits, 1u);
  EXPECT_EQ(again.l2_sectors, 1u);
  EXPECT_EQ(again.l2_hits, 1u); // the other half of the 64 bytes
  EXPECT_EQ(again.dram_sectors, 0u);
  EXPECT_EQ(gpu.access(CacheUse::LoadPastL1, 5, 0b0001).l1_hits, 0u);
}

TEST(CacheModel, StoresGoOnToL2AndReadNothing) {
  Single gpu;
  const CacheTraffic stored = gpu.access(CacheUse::Store, 9, 0b1111);
  EXPECT_EQ(stored.l1_hits, 0u);
  EXPECT_EQ(stored.l2_hits, 4u);
  EXPECT_EQ(stored.dram_sectors, 0u);
  EXPECT_EQ(gpu.access(CacheUse::Store, 9, 0b0001).l2_sectors, 1u);
  EXPECT_EQ(gpu.access(CacheUse::Load, 9, 0b1111).l1_hits, 4u);
  EXPECT_EQ(gpu.caches.dramWritten(), 0u);
  for (uint64_t line = 100; line < 132; ++line) // all of L2
    gpu.access(CacheUse::Load, line, 0b1111);
  EXPECT_EQ(gpu.caches.dramWritten(), 4u);
}

TEST(CacheModel, AtomicsHappenInL2) {
  Single gpu;
  EXPECT_EQ(gpu.access(CacheUse::Atomic, 1, 0b0001).dram_sectors, 2u);
  const CacheTraffic again = gpu.access(CacheUse::Atomic, 1, 0b0001);
  EXPECT_EQ(again.l1_hits, 0u);
  EXPECT_EQ(again.l2_hits, 1u);
}

TEST(CacheModel, WhatWasUsedLongestAgoGoesFirst) {
  Single gpu;
  for (uint64_t line = 0; line < 8; ++line)
    gpu.access(CacheUse::Load, line, 0b0001);
  gpu.access(CacheUse::Load, 0, 0b0001);
  gpu.access(CacheUse::Load, 8, 0b0001); // in place of 1
  EXPECT_EQ(gpu.access(CacheUse::Load, 0, 0b0001).l1_hits, 1u);
  EXPECT_EQ(gpu.access(CacheUse::Load, 1, 0b0001).l1_hits, 0u);
}

// Blocks 0 and 2 are on one SM, 1 and 3 on the other.
TEST(CacheModel, BlocksGoToMultiprocessorsInTurn) {
  CacheReplay replay(sizes, {.multiprocessors = 2, .blocks_each = 1, .warps = 1, .sites = 4});
  for (uint32_t i = 0; i < 4; ++i) {
    CacheReplay::Block &block = replay.begin();
    const std::vector<uint64_t> own = sectorsFrom(4 * (i % 2), 4);
    replay.note(block, 0, {i, CacheUse::Load, false}, own.data(), 4);
    replay.end(block);
  }
  replay.finish();
  for (uint32_t i = 0; i < 4; ++i)
    EXPECT_EQ(replay.traffic(i).l1_hits, i < 2 ? 0u : 4u) << i;
}

// Two blocks that are resident together read 16 lines each, of which an SM holds 8: they take
// turns, so the second one finds what the first one has just read.
TEST(CacheModel, ResidentBlocksTakeTurns) {
  for (const uint32_t together : {1u, 2u}) {
    CacheReplay replay(sizes,
                       {.multiprocessors = 1, .blocks_each = together, .warps = 1, .sites = 2});
    for (uint32_t i = 0; i < 2; ++i) {
      CacheReplay::Block &block = replay.begin();
      for (uint64_t line = 0; line < 16; ++line) {
        const std::vector<uint64_t> sectors = sectorsFrom(4 * line, 4);
        replay.note(block, 0, {i, CacheUse::Load, false}, sectors.data(), 4);
      }
      replay.end(block);
    }
    replay.finish();
    EXPECT_EQ(replay.traffic(0).l1_hits, 0u);
    EXPECT_EQ(replay.traffic(1).l1_hits, together == 2 ? 64u : 0u);
  }
}

// Words of the threads' own memory are another line for each warp.
TEST(CacheModel, OwnMemoryIsTheWarps) {
  CacheReplay replay(sizes, {.multiprocessors = 1, .blocks_each = 1, .warps = 2, .sites = 1});
  CacheReplay::Block &block = replay.begin();
  const std::vector<uint64_t> sectors = sectorsFrom(0, 4);
  for (const uint32_t warp : {0u, 1u, 0u})
    replay.note(block, warp, {0, CacheUse::Load, true}, sectors.data(), 4);
  replay.end(block);
  replay.finish();
  EXPECT_EQ(replay.traffic(0).l1_sectors, 12u);
  EXPECT_EQ(replay.traffic(0).l1_hits, 4u);
}

TEST(CacheModel, MemoryIsBounded) {
  CacheReplay replay(
      sizes, {.multiprocessors = 1, .blocks_each = 1, .warps = 1, .sites = 1, .most_records = 16});
  CacheReplay::Block &block = replay.begin();
  for (uint64_t line = 0; line < 1000; ++line) {
    const std::vector<uint64_t> sectors = sectorsFrom(4 * line, 4);
    replay.note(block, 0, {0, CacheUse::Load, false}, sectors.data(), 4);
    EXPECT_GE(replay.traffic(0).l1_sectors + 4 * 17, 4 * line);
  }
  replay.end(block);
  replay.finish();
  EXPECT_EQ(replay.traffic(0).l1_sectors, 4000u);
}

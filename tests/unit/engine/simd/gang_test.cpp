// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The SIMD engine's block: which gang runs when, how groups of lanes wait, part and meet again.
#include "gang_run.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <gtest/gtest.h>

using namespace heddle::engine;

namespace {

using Calls = std::vector<GangLog::Call>;

// ---- Without waiting ---------------------------------------------------------------------------

void logGang(GangContext *gang, const void *parameters, uint32_t x, uint32_t y, uint32_t z,
             uint32_t lanes, uint32_t state) {
  GangLog &log = GangLog::of(parameters);
  log.add(gang, lanes, state);
  const uint32_t *shape = gang->block->block_dim;
  forEachLane(lanes, [&](uint32_t lane) {
    const ThreadContext &thread = gang->lanes[lane];
    const uint32_t *t = thread.thread_index;
    log.wrong += thread.linear_index != gang->linear_index + lane;
    log.wrong += t[0] + shape[0] * (t[1] + shape[1] * t[2]) != thread.linear_index;
    log.wrong += thread.block != gang->block || thread.runtime != gang->runtime;
  });
  log.wrong += x + shape[0] * (y + shape[1] * z) != gang->linear_index;
  log.wrong += gang->thread_index[0] != x || gang->thread_index[1] != y;
  log.wrong += gang->thread_index[2] != z || x >= shape[0] || y >= shape[1] || z >= shape[2];
  log.wrong += reinterpret_cast<uintptr_t>(gang->frame) % 64 != 0;
  log.wrong += (gang->ended & lanes) != 0;
  std::fill_n(gang->frame, 100, char(lanes)); // there is a frame
}

TEST(Gangs, RunOneAfterAnother) {
  for (uint32_t lanes : {8u, 16u, 32u})
    for (bool waits : {false, true}) {
      GangLog log;
      EXPECT_FALSE(runGangs({.grid = {3}, .block = {70}, .one_worker = true},
                            gangKernel(logGang, lanes, waits), &log));
      EXPECT_EQ(log.wrong, 0);
      Calls expected;
      for (uint32_t block = 0; block < 3; ++block)
        for (uint32_t first = 0; first < 70; first += lanes) {
          const uint32_t count = std::min(lanes, 70 - first);
          expected.push_back({block, first, count == 32 ? ~0u : (1u << count) - 1, 0});
        }
      EXPECT_EQ(log.calls, expected);
    }
}

TEST(Gangs, KnowTheirPlaceInBlocksOfManyShapes) {
  const Dim3 shapes[] = {{1, 1, 64}, {3, 5, 7}, {16, 16}, {8, 8, 8},
                         {33, 3},    {1024},    {1},      {2, 500}};
  for (const Dim3 &shape : shapes)
    for (bool waits : {false, true}) {
      GangLog log;
      EXPECT_FALSE(
          runGangs({.grid = {2, 3}, .block = shape}, gangKernel(logGang, 16, waits), &log));
      EXPECT_EQ(log.wrong, 0);
      EXPECT_EQ(log.calls.size(), 6 * ((shape.count() + 15) / 16));
    }
}

// ---- Barriers ----------------------------------------------------------------------------------

// Each thread writes, all wait, each reads its mirror image; three times.
void mirror(GangContext *gang, const void *parameters, uint32_t, uint32_t, uint32_t, uint32_t lanes,
            uint32_t state) {
  GangLog &log = GangLog::of(parameters);
  log.add(gang, lanes, state);
  auto *numbers = reinterpret_cast<uint32_t *>(gang->block->dynamic_shared);
  const uint32_t count = gang->block->block_dim[0];
  if (state == 0)
    std::memset(gang->frame, 0, 100);
  else {
    log.wrong += gang->resumed->lanes != lanes || gang->resumed->state != state;
    log.wrong += static_cast<const Record *>(gang->resumed)->values[0] != gang->linear_index;
    log.wrong += gang->frame[99] != char(state - 1);
  }
  gang->frame[99] = char(state);
  forEachLane(lanes, [&](uint32_t lane) {
    const uint32_t index = indexOf(gang, lane);
    if (state % 2 == 0)
      numbers[index] = blockOf(gang) * 10000 + state * 2000 + index;
    else
      log.wrong += numbers[count - 1 - index] !=
                   blockOf(gang) * 10000 + (state - 1) * 2000 + count - 1 - index;
  });
  if (state < 5)
    suspend(gang, lanes, state + 1, Suspension::Barrier, 0, 0, 0, gang->linear_index);
}

TEST(GangBarriers, AreSweptFromOneToTheNext) {
  for (uint32_t lanes : {8u, 32u}) {
    GangLog log;
    EXPECT_FALSE(runGangs({.grid = {40}, .block = {200}, .dynamic_shared_bytes = 800},
                          gangKernel(mirror, lanes), &log));
    EXPECT_EQ(log.wrong, 0);
    EXPECT_EQ(log.calls.size(), 40u * 6 * ((200 + lanes - 1) / lanes));
  }
}

TEST(GangBarriers, CountOnlyLanesThatLive) {
  GangLog log;
  auto kernel = [](GangContext *gang, const void *parameters, uint32_t, uint32_t, uint32_t,
                   uint32_t lanes, uint32_t state) {
    GangLog &log = GangLog::of(parameters);
    log.add(gang, lanes, state);
    // First the odd lanes end, then all of the first gang.
    if (state == 0)
      waitAtBarrier(gang, lanes & 0x55555555, 1);
    else if (state == 1 && gang->linear_index != 0)
      waitAtBarrier(gang, lanes, 2);
  };
  EXPECT_FALSE(runGangs({.block = {72}, .one_worker = true}, gangKernel(kernel), &log));
  EXPECT_EQ(log.calls, (Calls{{0, 0, ~0u, 0},
                              {0, 32, ~0u, 0},
                              {0, 64, 0xff, 0},
                              {0, 0, 0x55555555, 1},
                              {0, 32, 0x55555555, 1},
                              {0, 64, 0x55, 1},
                              {0, 32, 0x55555555, 2},
                              {0, 64, 0x55, 2}}));
}

// Both sides of a branch have a __syncthreads(): each counts for the other (undefined in CUDA, but
// what GPUs do since Volta, and the reference engine).
TEST(GangBarriers, LanesThatHavePartedMeetAgain) {
  GangLog log;
  auto kernel = [](GangContext *gang, const void *parameters, uint32_t, uint32_t, uint32_t,
                   uint32_t lanes, uint32_t state) {
    GangLog &log = GangLog::of(parameters);
    log.add(gang, lanes, state);
    if (state == 0) {
      waitAtBarrier(gang, lanes & 0xff, 2);
      waitAtBarrier(gang, lanes & ~0xffu, 1);
    } else if (state <= 2) {
      waitAtBarrier(gang, lanes, 3); // the same place
    } else if (state == 3) {
      waitAtBarrier(gang, lanes, 4);
    }
  };
  EXPECT_FALSE(runGangs({.block = {40}, .one_worker = true}, gangKernel(kernel), &log));
  EXPECT_EQ(log.calls, (Calls{{0, 0, ~0u, 0},
                              {0, 32, 0xff, 0},
                              {0, 0, ~0xffu, 1},
                              {0, 0, 0xff, 2},
                              {0, 32, 0xff, 2},
                              {0, 0, ~0u, 3},
                              {0, 32, 0xff, 3},
                              {0, 0, ~0u, 4},
                              {0, 32, 0xff, 4}}));
}

// Lanes of one group that have come to different places may not go on together, nor may those at
// the same place with different values.
TEST(GangBarriers, OnlyEqualGroupsGoOnTogether) {
  GangLog log;
  auto kernel = [](GangContext *gang, const void *parameters, uint32_t, uint32_t, uint32_t,
                   uint32_t lanes, uint32_t state) {
    GangLog &log = GangLog::of(parameters);
    log.add(gang, lanes, state);
    if (state == 0) {
      for (uint32_t part = 0; part < 4; ++part) // two values, each in two records
        suspend(gang, 0xffu << part * 8, 1, Suspension::Barrier, 0, 0, 0, 7, part % 2);
    } else if (state == 1) {
      const auto *record = static_cast<const Record *>(gang->resumed);
      log.wrong += record->values[0] != 7;
      log.wrong += record->values[1] != (lanes & 0xff ? 0u : 1u);
    }
  };
  EXPECT_FALSE(runGangs({.block = {32}, .one_worker = true}, gangKernel(kernel), &log));
  EXPECT_EQ(log.wrong, 0);
  EXPECT_EQ(log.calls, (Calls{{0, 0, ~0u, 0}, {0, 0, 0x00ff00ff, 1}, {0, 0, 0xff00ff00, 1}}));
}

// A record's unused values must not keep groups apart, whatever an earlier group had there.
TEST(GangBarriers, ValuesOfOtherPlacesDoNotMatter) {
  GangLog log;
  auto kernel = [](GangContext *gang, const void *parameters, uint32_t, uint32_t, uint32_t,
                   uint32_t lanes, uint32_t state) {
    GangLog::of(parameters).add(gang, lanes, state);
    const auto half = [&](uint32_t mask, uint32_t next) {
      GroupRecord *record = gang->suspended; // as compiled code does: nothing but what it needs
      *record = {mask, next, Suspension::Barrier, {0, 0, 0}};
      gang->suspended = static_cast<Record *>(record) + 1;
    };
    if (state == 0)
      suspend(gang, lanes, 1, Suspension::Barrier, 0, 0, 0, 123, 456);
    else if (state == 1)
      half(lanes & 0xffff, 2), half(lanes & ~0xffffu, 2);
  };
  EXPECT_FALSE(runGangs({.block = {32}, .one_worker = true}, gangKernel(kernel), &log));
  EXPECT_EQ(log.calls, (Calls{{0, 0, ~0u, 0}, {0, 0, ~0u, 1}, {0, 0, ~0u, 2}}));
}

// __syncthreads_count, _and, _or (CUDA guide, "Synchronization Functions").
TEST(GangBarriers, CombinePredicates) {
  for (uint32_t gang_lanes : {8u, 32u}) {
    GangLog log;
    auto kernel = [](GangContext *gang, const void *parameters, uint32_t, uint32_t, uint32_t,
                     uint32_t lanes, uint32_t state) {
      GangLog &log = GangLog::of(parameters);
      constexpr uint32_t expected[] = {0, 34, 0, 1, 1}; // count, and, or; and where all agree
      const BarrierReduction reductions[] = {BarrierReduction::Count, BarrierReduction::And,
                                             BarrierReduction::Or, BarrierReduction::And};
      forEachLane(lanes, [&](uint32_t lane) {
        if (state > 0)
          log.wrong += gang->requests[lane].result.value != expected[state];
        gang->requests[lane].value = state == 3 ? 5 : indexOf(gang, lane) % 3 == 0;
      });
      if (state < 4)
        waitAtBarrier(gang, lanes, state + 1, 0, 0, reductions[state]);
      else
        log.count += std::popcount(lanes);
    };
    EXPECT_FALSE(runGangs({.grid = {5}, .block = {100}}, gangKernel(kernel, gang_lanes), &log));
    EXPECT_EQ(log.wrong, 0);
    EXPECT_EQ(log.count, 500);
  }
}

// bar.sync with a count: two halves of the block work in turns; bar.arrive does not wait (PTX ISA,
// "bar.arrive").
TEST(GangBarriers, HaveNumbersAndCounts) {
  GangLog log;
  auto kernel = [](GangContext *gang, const void *parameters, uint32_t, uint32_t, uint32_t,
                   uint32_t lanes, uint32_t state) {
    GangLog &log = GangLog::of(parameters);
    const bool producer = gang->linear_index >= 64;
    if (producer) { // makes a value, and says so without waiting
      if (state == 0)
        return waitAtBarrier(gang, lanes, 1, 2, 64); // its own two gangs meet first
      log.values[gang->linear_index] = 1;
      forEachLane(
          lanes, [&](uint32_t lane) { gang->runtime->barrier_arrive(&gang->lanes[lane], 1, 128); });
    } else if (state == 0) {
      waitAtBarrier(gang, lanes, 1, 1, 128);
    } else {
      log.wrong += log.values[64] != 1 || log.values[96] != 1;
      ++log.count;
    }
  };
  EXPECT_FALSE(runGangs({.grid = {10}, .block = {128}}, gangKernel(kernel), &log));
  EXPECT_EQ(log.wrong, 0);
  EXPECT_EQ(log.count, 20);
}

// Sweeps and single groups alternate: every third barrier is met by parted lanes.
TEST(GangBarriers, PartingIsNotForEver) {
  GangLog log;
  auto kernel = [](GangContext *gang, const void *parameters, uint32_t, uint32_t, uint32_t,
                   uint32_t lanes, uint32_t state) {
    GangLog &log = GangLog::of(parameters);
    forEachLane(lanes, [&](uint32_t lane) {
      log.wrong += log.values[indexOf(gang, lane)] != state;
      ++log.values[indexOf(gang, lane)];
    });
    if (state == 30)
      return;
    if (state % 3 == 0) {
      waitAtBarrier(gang, lanes & 0x33333333, state + 1);
      if (lanes & 0xcccccccc)
        waitAtBarrier(gang, lanes & 0xcccccccc, state + 1);
    } else {
      waitAtBarrier(gang, lanes, state + 1);
    }
  };
  EXPECT_FALSE(runGangs({.block = {1000}}, gangKernel(kernel), &log));
  EXPECT_EQ(log.wrong, 0);
  for (uint32_t i = 0; i < 1000; ++i)
    EXPECT_EQ(log.values[i], 31u) << i;
}

} // namespace

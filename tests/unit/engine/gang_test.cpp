// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The SIMD engine's block: which gang runs when, how groups of lanes wait, part and meet again.
#include "gang_run.h"

#include <algorithm>
#include <cstring>
#include <gtest/gtest.h>
#include <mutex>
#include <set>

using namespace heddle::engine;

namespace {

struct Log {
  std::mutex lock;
  struct Call {
    uint32_t block, gang, lanes, state;
    bool operator==(const Call &) const = default;
  };
  std::vector<Call> calls;
  std::atomic<int> wrong{0};
  std::atomic<uint32_t> values[1024] = {};

  static Log &of(const void *parameters) { return parametersAs<Log>(parameters); }
  void add(const GangContext *gang, uint32_t lanes, uint32_t state) {
    std::lock_guard guard(lock);
    calls.push_back({blockOf(gang), gang->linear_index, lanes, state});
  }
};

SimdKernelInfo kernel(SimdEntry entry, uint32_t gang_lanes, bool waits) {
  SimdKernelInfo info = {};
  info.name = "fake";
  info.entry = entry;
  info.gang_lanes = gang_lanes;
  info.frame_bytes = 100;
  info.record_bytes = waits ? sizeof(Record) : 0;
  info.calls_lanes = 1;
  info.warp_level = gang_lanes == 32;
  info.stack_bytes = 4096;
  return info;
}

std::optional<Fault> runAsCompiled(const KernelRun &run, SimdEntry entry, const void *parameters,
                                   uint32_t gang_lanes = 32) {
  return runGangs(run, kernel(entry, gang_lanes, true), parameters);
}

// ---- Without waiting ---------------------------------------------------------------------------

void logGang(GangContext *gang, const void *parameters, uint32_t x, uint32_t y, uint32_t z,
             uint32_t lanes, uint32_t state) {
  Log &log = Log::of(parameters);
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
      Log log;
      EXPECT_FALSE(runGangs({.grid = {3}, .block = {70}, .one_worker = true},
                            kernel(logGang, lanes, waits), &log));
      EXPECT_EQ(log.wrong, 0);
      std::vector<Log::Call> expected;
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
      Log log;
      EXPECT_FALSE(runGangs({.grid = {2, 3}, .block = shape}, kernel(logGang, 16, waits), &log));
      EXPECT_EQ(log.wrong, 0);
      EXPECT_EQ(log.calls.size(), 6 * ((shape.count() + 15) / 16));
    }
}

// ---- Barriers ----------------------------------------------------------------------------------

// Each thread writes, all wait, each reads its mirror image; three times.
void mirror(GangContext *gang, const void *parameters, uint32_t, uint32_t, uint32_t, uint32_t lanes,
            uint32_t state) {
  Log &log = Log::of(parameters);
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
    Log log;
    EXPECT_FALSE(runAsCompiled({.grid = {40}, .block = {200}, .dynamic_shared_bytes = 800}, mirror,
                               &log, lanes));
    EXPECT_EQ(log.wrong, 0);
    EXPECT_EQ(log.calls.size(), 40u * 6 * ((200 + lanes - 1) / lanes));
  }
}

TEST(GangBarriers, CountOnlyLanesThatLive) {
  Log log;
  auto kernel = [](GangContext *gang, const void *parameters, uint32_t, uint32_t, uint32_t,
                   uint32_t lanes, uint32_t state) {
    Log &log = Log::of(parameters);
    log.add(gang, lanes, state);
    // First the odd lanes end, then all of the first gang.
    if (state == 0)
      waitAtBarrier(gang, lanes & 0x55555555, 1);
    else if (state == 1 && gang->linear_index != 0)
      waitAtBarrier(gang, lanes, 2);
  };
  EXPECT_FALSE(runAsCompiled({.block = {72}, .one_worker = true}, kernel, &log));
  EXPECT_EQ(log.calls, (std::vector<Log::Call>{{0, 0, ~0u, 0},
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
  Log log;
  auto kernel = [](GangContext *gang, const void *parameters, uint32_t, uint32_t, uint32_t,
                   uint32_t lanes, uint32_t state) {
    Log &log = Log::of(parameters);
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
  EXPECT_FALSE(runAsCompiled({.block = {40}, .one_worker = true}, kernel, &log));
  EXPECT_EQ(log.calls, (std::vector<Log::Call>{{0, 0, ~0u, 0},
                                               {0, 32, 0xff, 0},
                                               {0, 0, ~0xffu, 1},
                                               {0, 0, 0xff, 2},
                                               {0, 32, 0xff, 2},
                                               {0, 0, ~0u, 3},
                                               {0, 32, 0xff, 3},
                                               {0, 0, ~0u, 4},
                                               {0, 32, 0xff, 4}}));
}

} // namespace

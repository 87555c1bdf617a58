// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Strips: blocks that lie beside each other and are run as if they were one
// (SimdKernelInfo::strips, ResidentBlock::lengthen). And gangs of more than 32 lanes, for which a
// mask has too few bits.
#include "gang_run.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <gtest/gtest.h>
#include <mutex>
#include <set>

using namespace heddle::engine;

namespace {

// ---- Strips ------------------------------------------------------------------------------------

struct Strip {
  uint32_t x, y, z, blocks, gangs, row_gangs, ahead;
};

struct StripLog {
  Dim3 grid;
  std::mutex lock;
  std::vector<Strip> strips;
  std::vector<uint32_t> runs; // of each block
  std::atomic<int> wrong{0};

  explicit StripLog(Dim3 grid) : grid(grid), runs(grid.count()) {}
};

// What compiled code does (Widener::startStrip), and notes.
uint32_t runStrip(GangContext *gangs, const void *parameters, uint32_t count, uint32_t stride,
                  uint32_t state) {
  auto &log = parametersAs<StripLog>(parameters);
  BlockContext *block = gangs->block;
  const uint32_t *index = block->block_index;
  log.wrong += stride == 0 || state != 0;
  std::lock_guard guard(log.lock);
  log.strips.push_back({index[0], index[1], index[2], block->strip_blocks, count, block->row_gangs,
                        block->ahead_blocks});
  if (block->strip_blocks == 0 || index[0] + block->strip_blocks > log.grid.x) {
    ++log.wrong;
    return 0;
  }
  const size_t first = index[0] + log.grid.x * (index[1] + size_t(log.grid.y) * index[2]);
  for (uint32_t i = 0; i < block->strip_blocks; ++i)
    ++log.runs[first + i];
  block->block_index[0] += block->strip_blocks - 1; // as it is after the last one
  return 0;
}

SimdKernelInfo stripKernel(SimdSweep sweep, uint32_t gang_lanes = 32, bool strips = true) {
  SimdKernelInfo info = gangKernel(nullptr, gang_lanes, false);
  info.sweep = sweep;
  info.strips = strips;
  return info;
}

TEST(Strips, AreOfOneRowOfTheGrid) {
  for (const Dim3 &grid : {Dim3{1},
                           {2},
                           {1000},
                           {1, 1000},
                           {7, 13, 5},
                           {333, 3},
                           {33, 1, 7},
                           {2, 500},
                           {1, 1, 50},
                           {4099}})
    for (bool one_worker : {true, false}) {
      StripLog log(grid);
      EXPECT_FALSE(runGangs({.grid = grid, .block = {32, 8}, .one_worker = one_worker},
                            stripKernel(runStrip), &log));
      EXPECT_EQ(log.wrong, 0);
      EXPECT_EQ(std::count(log.runs.begin(), log.runs.end(), 1u), ptrdiff_t(grid.count()))
          << grid.x << "," << grid.y << "," << grid.z;
    }
}

// They are as long as what the worker has got of the row. It knows of these blocks that they take
// no time, so its first chunk is many rows, whatever the number of its colleagues.
TEST(Strips, AreLong) {
  StripLog log({100, 1000});
  KernelHistory history;
  history.block_nanoseconds = 1;
  EXPECT_FALSE(runGangs({.grid = log.grid, .block = {64}, .history = &history},
                        stripKernel(runStrip), &log));
  // Of the first one: later ones also depend on how long blocks have taken this time.
  EXPECT_EQ(log.strips.front().x + log.strips.front().blocks, 100u);
  EXPECT_EQ(std::count(log.runs.begin(), log.runs.end(), 1u), 100'000);
}

TEST(Strips, OnlyOfKernelsThatCan) {
  StripLog log({100, 3});
  EXPECT_FALSE(runGangs({.grid = log.grid, .block = {64}}, stripKernel(runStrip, 32, false), &log));
  EXPECT_EQ(log.strips.size(), 300u);
  EXPECT_EQ(std::count(log.runs.begin(), log.runs.end(), 1u), 300);
}

// Others that never wait follow each other along the row; what stops the launch stops them, too.
TEST(Strips, OthersFollowEachOther) {
  struct Log {
    std::vector<uint32_t> runs = std::vector<uint32_t>(600);
    uint32_t until = ~0u, wrong = 0;
  } log;
  const auto sweep = [](GangContext *gangs, const void *parameters, uint32_t, uint32_t,
                        uint32_t) -> uint32_t {
    auto &seen = parametersAs<Log>(parameters);
    BlockContext &block = *gangs->block;
    block.running = gangs; // for messages
    ++seen.runs[block.block_index[0] + 200 * block.block_index[1]];
    seen.wrong += block.strip_blocks != 1 || block.block_index[0] >= 200;
    if (block.block_index[0] == seen.until)
      raiseFault({.kind = FaultKind::Trap});
    return 0;
  };
  const SimdKernelInfo kernel = stripKernel(sweep, 32, false);
  const KernelRun launch = {.grid = {200, 3}, .block = {64}, .one_worker = true};
  EXPECT_FALSE(runGangs(launch, kernel, &log));
  EXPECT_EQ(std::count(log.runs.begin(), log.runs.end(), 1u), 600);
  EXPECT_EQ(log.wrong, 0u);
  log = Log();
  log.until = 57;
  const auto fault = runGangs(launch, kernel, &log);
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->block, 57u);
  EXPECT_EQ(std::count(log.runs.begin(), log.runs.end(), 1u), 58);
}

// Blocks of a cooperative launch are started one by one, for they may wait for each other.
TEST(Strips, NotOfCooperativeLaunches) {
  StripLog log({16});
  EXPECT_FALSE(runGangs({.grid = log.grid, .block = {64}, .cooperative = true},
                        stripKernel(runStrip), &log));
  EXPECT_EQ(log.strips.size(), 16u);
}

// The next launch, on the same memory, has other blocks.
TEST(Strips, OfALaunchAreNotThoseOfTheNext) {
  for (uint32_t blocks : {500u, 3u, 500u, 1u}) {
    StripLog log({blocks});
    EXPECT_FALSE(runGangs({.grid = log.grid, .block = {32}, .one_worker = true},
                          stripKernel(runStrip, 32, blocks != 3), &log));
    EXPECT_EQ(log.wrong, 0);
    EXPECT_EQ(std::count(log.runs.begin(), log.runs.end(), 1u), ptrdiff_t(blocks));
  }
}

// The code goes along a row of the strip, so it must know where a block's row ends.
TEST(Strips, KnowHowManyGangsARowHas) {
  struct Case {
    Dim3 block;
    uint32_t lanes, row_gangs, gangs, ahead;
  };
  for (const Case &c : {Case{{256}, 32, 8, 8, 8},
                        {{256}, 128, 2, 2, 8},
                        {{64, 4}, 32, 2, 8, 32},
                        {{32, 8}, 32, 1, 8, 64},
                        {{96, 2}, 16, 6, 12, 21},
                        {{16, 16}, 32, 1, 8, 64},
                        {{16, 16}, 256, 1, 1, 8},
                        {{8, 8, 8}, 64, 1, 8, 32},
                        {{32, 8}, 128, 1, 2, 16},
                        {{24, 4, 2}, 8, 3, 24, 85},
                        {{4, 32}, 8, 1, 16, 256},
                        {{33, 32}, 8, 1, 132, 62}}) {
    StripLog log({2});
    EXPECT_FALSE(
        runGangs({.grid = log.grid, .block = c.block}, stripKernel(runStrip, c.lanes), &log));
    for (const Strip &strip : log.strips) {
      EXPECT_EQ(strip.gangs, c.gangs) << c.block.x << "," << c.block.y;
      EXPECT_EQ(strip.row_gangs, c.row_gangs) << c.block.x << "," << c.block.y;
      EXPECT_EQ(strip.ahead, c.ahead) << c.block.x << "," << c.block.y; // 2048 threads, in all rows
    }
  }
}

// The message is about the block that the code says it is at.
TEST(Strips, FaultsNameTheBlockThatRuns) {
  auto sweep = [](GangContext *gangs, const void *, uint32_t, uint32_t stride, uint32_t) {
    BlockContext *block = gangs->block;
    const uint32_t at = 37;
    if (block->block_index[1] == 2 && block->block_index[0] <= at &&
        block->block_index[0] + block->strip_blocks > at) {
      auto *gang = reinterpret_cast<GangContext *>(reinterpret_cast<char *>(gangs) + 3 * stride);
      block->block_index[0] = at;
      block->running = gang;
      *reinterpret_cast<volatile int *>(8) = 1;
    }
    return 0u;
  };
  for (bool one_worker : {true, false}) {
    const auto fault = runGangs({.grid = {100, 5}, .block = {32, 8}, .one_worker = one_worker},
                                stripKernel(sweep), nullptr);
    ASSERT_TRUE(fault);
    EXPECT_EQ(fault->error, 700);
    EXPECT_NE(fault->message.find("block (37,2,0), thread (0,3,0)"), std::string::npos)
        << fault->message;
    EXPECT_EQ(fault->block, 237u);
    EXPECT_TRUE(fault->one_of_many);
  }
}

// ---- Fused blocks ------------------------------------------------------------------------------

// Blocks that are one wide block have its gangs, and begin with the first of them. A strip is of
// such wide blocks.
TEST(FusedBlocks, RunAsOne) {
  static std::mutex lock;
  static std::vector<int> runs;
  auto sweep = [](GangContext *gangs, const void *, uint32_t count, uint32_t stride, uint32_t) {
    const BlockContext *block = gangs->block;
    std::lock_guard guard(lock);
    for (uint32_t i = 0; i < count; ++i) {
      const auto *gang =
          reinterpret_cast<GangContext *>(reinterpret_cast<char *>(gangs) + size_t(i) * stride);
      // Rows of 32: four blocks of eight side by side.
      EXPECT_EQ(gang->thread_index[0], 0u);
      EXPECT_EQ(gang->thread_index[1], i % 4);
      EXPECT_EQ(gang->thread_index[2], i / 4);
      EXPECT_EQ(gang->lanes[31].thread_index[0], 31u);
    }
    EXPECT_EQ(count, 8u);
    EXPECT_EQ(block->block_dim[0], 8u);
    EXPECT_EQ(block->fused_blocks, 4u);
    for (uint32_t i = 0; i < 4 * block->strip_blocks; ++i)
      ++runs.at(block->block_index[0] + i + 40 * block->block_index[1]);
    return 0u;
  };
  for (bool strips : {false, true}) {
    runs.assign(40 * 7, 0);
    EXPECT_FALSE(runGangs({.grid = {40, 7}, .block = {8, 4, 2}, .fused_blocks = 4},
                          stripKernel(sweep, 32, strips), nullptr));
    EXPECT_EQ(std::count(runs.begin(), runs.end(), 1), 40 * 7);
  }
}

// A message names the block, not the wide one; which one's fault it was is not known yet.
TEST(FusedBlocks, FaultsNameTheThreadsBlock) {
  auto entry = [](GangContext *gang, const void *, uint32_t, uint32_t, uint32_t, uint32_t,
                  uint32_t) {
    const uint32_t *block = gang->block->block_index;
    if (block[0] == 6 && block[1] == 2 && gang->thread_index[0] == 16 && gang->thread_index[1] == 3)
      *reinterpret_cast<volatile int *>(8) = 1;
  };
  const auto fault = runGangs({.grid = {10, 5}, .block = {16, 8}, .fused_blocks = 2},
                              gangKernel(entry, 16, false), nullptr);
  ASSERT_TRUE(fault);
  EXPECT_NE(fault->message.find("block (7,2,0), thread (0,3,0)"), std::string::npos)
      << fault->message;
  EXPECT_EQ(fault->block, 26u);
  EXPECT_EQ(fault->blocks, 2u);
}

// The program's launch has 5 x 10 blocks of 8 x 16 threads.
TEST(TurnedBlocks, FaultsAreToldInTheProgramsTerms) {
  auto entry = [](GangContext *gang, const void *, uint32_t, uint32_t, uint32_t, uint32_t,
                  uint32_t) {
    const uint32_t *block = gang->block->block_index;
    if (block[0] == 6 && block[1] == 2 && gang->thread_index[1] == 3)
      *reinterpret_cast<volatile int *>(8) = 1;
  };
  const auto fault = runGangs({.grid = {10, 5}, .block = {16, 8}, .lane_axis = 1},
                              gangKernel(entry, 16, false), nullptr);
  ASSERT_TRUE(fault);
  EXPECT_NE(fault->message.find("block (2,6,0), thread (3,0,0)"), std::string::npos)
      << fault->message;
  EXPECT_EQ(fault->block, 32u);
  EXPECT_EQ(fault->blocks, 1u);
}

// Every thread once, and no gang beyond its row; the next launch has blocks of the same shape, but
// gangs that are.
TEST(PaddedRows, AreGangsOfTheirOwn) {
  static std::mutex lock;
  static std::set<std::array<uint32_t, 3>> seen;
  static bool waits;
  auto entry = [](GangContext *gang, const void *, uint32_t x, uint32_t y, uint32_t z,
                  uint32_t lanes, uint32_t state) {
    std::lock_guard guard(lock);
    EXPECT_EQ(gang->linear_index, x + 20 * (y + 3 * z));
    if (x == 16)
      EXPECT_EQ(lanes, 15u);
    for (uint32_t lane = 0; lane < 16; ++lane)
      if (lanes >> lane & 1 && state == 0) {
        EXPECT_TRUE(seen.insert({x + lane, y, z}).second);
        EXPECT_EQ(gang->lanes[lane].thread_index[0], x + lane);
        EXPECT_EQ(gang->lanes[lane].thread_index[1], y);
        EXPECT_EQ(gang->lanes[lane].thread_index[2], z);
        EXPECT_EQ(gang->lanes[lane].linear_index, x + lane + 20 * (y + 3 * z));
      }
    if (waits && state == 0)
      suspend(gang, lanes, 1, Suspension::Barrier);
  };
  for (const bool waiting : {false, true}) {
    waits = waiting;
    seen.clear();
    EXPECT_FALSE(runGangs({.block = {20, 3, 2}, .padded_rows = true},
                          gangKernel(entry, 16, waiting), nullptr));
    EXPECT_EQ(seen.size(), 120u);
    EXPECT_EQ(seen.rbegin()->front(), 19u);
  }
  static std::atomic<uint32_t> gangs;
  auto count = [](GangContext *, const void *, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t) {
    ++gangs;
  };
  for (const bool padded : {true, false, true}) {
    gangs = 0;
    EXPECT_FALSE(runGangs({.block = {20, 3, 2}, .padded_rows = padded},
                          gangKernel(count, 16, false), nullptr));
    EXPECT_EQ(gangs, padded ? 12u : 8u);
  }
}

// The next launch has blocks of the same shape, but none that are fused.
TEST(FusedBlocks, AreNotThoseOfTheNextLaunch) {
  static std::atomic<uint64_t> threads;
  auto entry = [](GangContext *, const void *, uint32_t, uint32_t, uint32_t, uint32_t lanes,
                  uint32_t) { threads += uint64_t(std::popcount(lanes)); };
  for (uint32_t fused : {2u, 1u, 4u, 1u}) {
    threads = 0;
    EXPECT_FALSE(
        runGangs({.grid = {8}, .block = {16, 2}, .fused_blocks = fused, .one_worker = true},
                 gangKernel(entry, 16, false), nullptr));
    EXPECT_EQ(threads, 8u * 32);
  }
}

// ---- Gangs of more than 32 lanes ---------------------------------------------------------------

// Gangs of one block come to different barriers: each counts for all its threads, not only for as
// many as a mask has bits.
TEST(WideGangs, MeetAtDifferentBarriers) {
  for (uint32_t lanes : {32u, 64u, 128u}) {
    GangLog log;
    auto kernel = [](GangContext *gang, const void *parameters, uint32_t, uint32_t, uint32_t,
                     uint32_t mask, uint32_t state) {
      GangLog &log = GangLog::of(parameters);
      log.add(gang, mask, state);
      const bool second = gang->linear_index >= 128;
      if (state == 0)
        waitAtBarrier(gang, mask, second ? 2 : 1);
      else if (state < 3)
        waitAtBarrier(gang, mask, 3);
    };
    EXPECT_FALSE(runGangs({.grid = {2}, .block = {256}, .one_worker = true},
                          gangKernel(kernel, lanes), &log));
    ASSERT_EQ(log.calls.size(), 2 * 3 * 256 / lanes) << lanes;
    for (const GangLog::Call &call : log.calls)
      EXPECT_EQ(call.lanes, ~0u);
    EXPECT_TRUE(std::is_sorted(log.calls.begin(), log.calls.end(), [](auto &a, auto &b) {
      const auto turn = [](auto &call) {
        return std::tuple(call.block, call.state == 2 ? 1 : call.state, call.gang);
      };
      return turn(a) < turn(b);
    }));
  }
}

// So does a gang that ends while others wait.
TEST(WideGangs, EndWhileOthersWait) {
  for (uint32_t lanes : {64u, 128u}) {
    GangLog log;
    auto kernel = [](GangContext *gang, const void *parameters, uint32_t, uint32_t, uint32_t,
                     uint32_t mask, uint32_t state) {
      GangLog &log = GangLog::of(parameters);
      log.add(gang, mask, state);
      if (state < 3 && gang->linear_index >= 128 * state)
        waitAtBarrier(gang, mask, state + 1, 0);
    };
    EXPECT_FALSE(runGangs({.block = {512}, .one_worker = true}, gangKernel(kernel, lanes), &log));
    EXPECT_EQ(log.calls.size(), (512 + 512 + 384 + 256) / lanes);
  }
}

// A sweep leaves it to the runtime if gangs have come to different barriers.
TEST(WideGangs, ThatASweepHasLeftAtDifferentBarriers) {
  GangLog log;
  SimdKernelInfo info = gangKernel(
      [](GangContext *gang, const void *parameters, uint32_t, uint32_t, uint32_t, uint32_t lanes,
         uint32_t state) {
        GangLog &log = GangLog::of(parameters);
        log.add(gang, lanes, state);
        if (state == 1)
          waitAtBarrier(gang, lanes, 3);
      },
      64);
  info.sweep = [](GangContext *gangs, const void *, uint32_t count, uint32_t stride, uint32_t) {
    for (uint32_t i = 0; i < count; ++i)
      reinterpret_cast<GangContext *>(reinterpret_cast<char *>(gangs) + i * stride)->outcome =
          i == 0   ? 1
          : i == 1 ? 0
                   : 2;
    return ~0u;
  };
  EXPECT_FALSE(runGangs({.block = {256}, .one_worker = true}, info, &log));
  EXPECT_EQ(log.calls, (std::vector<GangLog::Call>{
                           {0, 0, ~0u, 1}, {0, 128, ~0u, 2}, {0, 192, ~0u, 2}, {0, 0, ~0u, 3}}));
}

} // namespace

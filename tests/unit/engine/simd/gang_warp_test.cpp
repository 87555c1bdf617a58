// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gangs that are warps: shuffles and their kin between parted lanes, and lanes that spin until
// another one has done something.
#include "gang_run.h"

#include <bit>
#include <gtest/gtest.h>

using namespace heddle::engine;

namespace {

void askAll(GangContext *gang, uint32_t lanes, uint32_t mask, uint64_t first_value) {
  forEachLane(lanes, [&](uint32_t lane) { request(gang, lane, mask, first_value + lane); });
}

void waitForOthers(GangContext *gang, uint32_t lanes, uint32_t state, WarpOperation operation,
                   uint32_t mode) {
  suspend(gang, lanes, state, Suspension::Collective, uint32_t(operation), mode);
}

// ---- Operations --------------------------------------------------------------------------------

// Lanes come to one __reduce_add_sync by two ways, in two calls.
TEST(GangWarp, LanesMeetFromTwoGroups) {
  GangLog log;
  auto kernel = [](GangContext *gang, const void *parameters, uint32_t, uint32_t, uint32_t,
                   uint32_t lanes, uint32_t state) {
    GangLog &log = GangLog::of(parameters);
    log.add(gang, lanes, state);
    constexpr uint32_t add = uint32_t(ReduceOperation::Add);
    if (state == 0) {
      suspend(gang, lanes & 0xff, 1, Suspension::Yield);
      askAll(gang, lanes & ~0xffu, ~0u, 0);
      waitForOthers(gang, lanes & ~0xffu, 2, WarpOperation::Reduce, add);
    } else if (state == 1) {
      askAll(gang, lanes, ~0u, 0);
      waitForOthers(gang, lanes, 2, WarpOperation::Reduce, add);
    } else {
      forEachLane(
          lanes, [&](uint32_t lane) { log.wrong += gang->requests[lane].result.value != 31 * 16; });
    }
  };
  EXPECT_FALSE(runGangs({.block = {32}, .one_worker = true}, gangKernel(kernel), &log));
  EXPECT_EQ(log.wrong, 0);
  EXPECT_EQ(log.calls,
            (std::vector<GangLog::Call>{{0, 0, ~0u, 0}, {0, 0, 0xff, 1}, {0, 0, ~0u, 2}}));
}

// One record holds lanes of two masks: when one mask is complete, only its lanes go on.
TEST(GangWarp, APartOfAGroupGoesOn) {
  GangLog log;
  auto kernel = [](GangContext *gang, const void *parameters, uint32_t, uint32_t, uint32_t,
                   uint32_t lanes, uint32_t state) {
    GangLog &log = GangLog::of(parameters);
    log.add(gang, lanes, state);
    constexpr uint32_t ballot = uint32_t(VoteMode::Ballot);
    if (state == 0) {
      suspend(gang, 0x0000000f, 1, Suspension::Yield);
      forEachLane(0xfffffff0, [&](uint32_t lane) {
        request(gang, lane, lane < 16 ? 0xffffu : 0xffff0000u, lane % 2);
      });
      waitForOthers(gang, 0xfffffff0, 2, WarpOperation::Vote, ballot);
    } else if (state == 1) {
      forEachLane(lanes, [&](uint32_t lane) { request(gang, lane, 0xffff, lane % 2); });
      waitForOthers(gang, lanes, 2, WarpOperation::Vote, ballot);
    } else {
      forEachLane(lanes, [&](uint32_t lane) {
        log.wrong += gang->requests[lane].result.value != (lane < 16 ? 0xaaaau : 0xaaaa0000u);
      });
    }
  };
  EXPECT_FALSE(runGangs({.block = {32}, .one_worker = true}, gangKernel(kernel), &log));
  EXPECT_EQ(log.wrong, 0);
  EXPECT_EQ(log.calls,
            (std::vector<GangLog::Call>{
                {0, 0, ~0u, 0}, {0, 0, 0xffff0000, 2}, {0, 0, 0xf, 1}, {0, 0, 0xffff, 2}}));
}

// A full mask means the lanes that are there: not those that never were, nor those that end later.
TEST(GangWarp, LanesThatEndAreNotWaitedFor) {
  GangLog log;
  auto kernel = [](GangContext *gang, const void *parameters, uint32_t, uint32_t, uint32_t,
                   uint32_t lanes, uint32_t state) {
    GangLog &log = GangLog::of(parameters);
    if (state == 0) {
      suspend(gang, lanes & 1, 1, Suspension::Yield);
      askAll(gang, lanes & 0x5e, ~0u, 1);
      waitForOthers(gang, lanes & 0x5e, 2, WarpOperation::Vote, uint32_t(VoteMode::Ballot));
    } else if (state == 2) {
      log.wrong += lanes != 0x5e;
      forEachLane(lanes,
                  [&](uint32_t lane) { log.wrong += gang->requests[lane].result.value != 0x5e; });
      ++log.count;
    }
  };
  EXPECT_FALSE(runGangs({.grid = {7}, .block = {7}}, gangKernel(kernel), &log));
  EXPECT_EQ(log.wrong, 0);
  EXPECT_EQ(log.count, 7);
}

// What compiled code calls where all lanes have met anyway.
TEST(GangWarp, CodeMayEvaluateItself) {
  GangLog log;
  auto kernel = [](GangContext *gang, const void *parameters, uint32_t, uint32_t, uint32_t,
                   uint32_t lanes, uint32_t) {
    forEachLane(lanes, [&](uint32_t lane) {
      request(gang, lane, lanes, lane * 10);
      gang->requests[lane].operation = WarpOperation::Shuffle;
      gang->requests[lane].mode = uint32_t(ShuffleMode::Xor);
      gang->requests[lane].lane = 1;
      gang->requests[lane].clamp = 31;
    });
    gang->runtime->evaluate(gang, lanes);
    forEachLane(lanes, [&](uint32_t lane) {
      GangLog::of(parameters).wrong += gang->requests[lane].result.value != (lane ^ 1) * 10;
    });
  };
  EXPECT_FALSE(runGangs({.block = {96}}, gangKernel(kernel), &log));
  EXPECT_EQ(log.wrong, 0);
}

// ---- Spinning ----------------------------------------------------------------------------------

// Each lane takes a lock, gives the others a turn while it holds it, and adds one.
TEST(GangSpin, ALockBetweenLanes) {
  struct Shared {
    std::atomic<int> lock{0};
    int sum = 0;
  } shared;
  auto kernel = [](GangContext *gang, const void *parameters, uint32_t, uint32_t, uint32_t,
                   uint32_t lanes, uint32_t state) {
    enum { Start, Locked };
    auto &s = parametersAs<Shared>(parameters);
    if (state == Locked) {
      s.sum = int(static_cast<const Record *>(gang->resumed)->values[0]) + 1;
      s.lock = 0;
      return;
    }
    uint32_t got = 0;
    if (int expected = 0; s.lock.compare_exchange_strong(expected, 1))
      got = lanes & -lanes;
    if (got)
      suspend(gang, got, Locked, Suspension::Yield, 0, 0, 0, uint64_t(s.sum));
    if (lanes & ~got)
      suspend(gang, lanes & ~got, 2, Suspension::Yield);
  };
  EXPECT_FALSE(runGangs({.grid = {4}, .block = {64}}, gangKernel(kernel), &shared));
  EXPECT_EQ(shared.sum, 256);
}

class GangsThatWait : public testing::TestWithParam<bool> {};

// Block i spins until block i + 1 (which may not have started yet) has set its flag.
TEST_P(GangsThatWait, ForALaterBlock) {
  GangLog log;
  auto kernel = [](GangContext *gang, const void *parameters, uint32_t, uint32_t, uint32_t,
                   uint32_t lanes, uint32_t) {
    GangLog &log = GangLog::of(parameters);
    const uint32_t block = blockOf(gang);
    if (block < 7 && !log.values[block + 1])
      return suspend(gang, lanes, 1, Suspension::Yield);
    log.values[block] = 1;
    log.count += std::popcount(lanes);
  };
  EXPECT_FALSE(runGangs({.grid = {8},
                         .block = {40},
                         .multiprocessors = 4,
                         .blocks_per_multiprocessor = 2,
                         .one_worker = GetParam()},
                        gangKernel(kernel), &log));
  EXPECT_EQ(log.count, 320);
}

// The same with a __syncthreads() in the loop, so that the block seems to get on.
TEST_P(GangsThatWait, ForALaterBlockWithBarriersMeanwhile) {
  GangLog log;
  auto kernel = [](GangContext *gang, const void *parameters, uint32_t, uint32_t, uint32_t,
                   uint32_t lanes, uint32_t state) {
    GangLog &log = GangLog::of(parameters);
    if (blockOf(gang) == 0 && !log.values[1])
      return state % 2 ? suspend(gang, lanes, 2, Suspension::Yield) : waitAtBarrier(gang, lanes, 1);
    log.values[blockOf(gang)] = 1;
    ++log.count;
  };
  EXPECT_FALSE(
      runGangs({.grid = {2}, .block = {32}, .one_worker = GetParam()}, gangKernel(kernel), &log));
  EXPECT_EQ(log.count, 2);
}

// grid.sync() in a cooperative launch of more blocks than workers.
TEST_P(GangsThatWait, AtTheGridBarrier) {
  GangLog log;
  auto kernel = [](GangContext *gang, const void *parameters, uint32_t, uint32_t, uint32_t,
                   uint32_t lanes, uint32_t state) {
    GangLog &log = GangLog::of(parameters);
    log.wrong += gang->runtime->grid_is_cooperative(gang) != 1;
    log.wrong += log.count < int(state * 12 * 70);
    log.count += std::popcount(lanes);
    if (state < 5)
      suspend(gang, lanes, state + 1, Suspension::GridBarrier);
  };
  EXPECT_FALSE(
      runGangs({.grid = {12}, .block = {70}, .cooperative = true, .one_worker = GetParam()},
               gangKernel(kernel), &log));
  EXPECT_EQ(log.wrong, 0);
  EXPECT_EQ(log.count, 6 * 12 * 70);
}

INSTANTIATE_TEST_SUITE_P(OneOrManyWorkers, GangsThatWait, testing::Bool(),
                         [](const auto &info) { return info.param ? "One" : "Many"; });

} // namespace

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How gangs come to grief, whom the message names, and the engine's services to them.
#include "gang_run.h"

#include <bit>
#include <gtest/gtest.h>

using namespace heddle::engine;

namespace {

void expectFault(const std::optional<Fault> &fault, int error, const std::string &text) {
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->error, error);
  EXPECT_NE(fault->message.find(text), std::string::npos) << fault->message;
}

// ---- Faults ------------------------------------------------------------------------------------

TEST(GangFault, NamesTheFirstActiveLane) {
  auto kernel = [](GangContext *gang, const void *, uint32_t, uint32_t, uint32_t, uint32_t lanes,
                   uint32_t state) {
    if (state == 0)
      return suspend(gang, lanes & 0xfffffff0, 1, Suspension::Yield);
    if (blockOf(gang) == 2 && gang->linear_index == 32)
      *reinterpret_cast<volatile int *>(8) = 1;
  };
  for (int round = 0; round < 3; ++round) // and the next launch is as if nothing had happened
    expectFault(
        runGangs({.grid = {5}, .block = {10, 8}, .one_worker = true}, gangKernel(kernel), nullptr),
        700, "block (2,0,0), thread (6,3,0)"); // 36
}

TEST(GangFault, NamesTheFirstLaneOfAGangThatNeverWaits) {
  auto kernel = [](GangContext *gang, const void *, uint32_t x, uint32_t, uint32_t, uint32_t,
                   uint32_t) {
    if (x == 48)
      gang->runtime->trap(gang);
  };
  expectFault(runGangs({.block = {100}}, gangKernel(kernel, 16, false), nullptr), 719,
              "thread (48,0,0)");
}

TEST(GangFault, NamesTheLaneThatAServiceIsCalledFor) {
  for (bool recursive : {false, true}) { // recursive: on a stack of its own
    auto kernel = [](GangContext *gang, const void *, uint32_t, uint32_t, uint32_t, uint32_t,
                     uint32_t) {
      ThreadContext *lane = &gang->lanes[5];
      if (gang->linear_index == 64)
        gang->runtime->assert_fail(lane, "a == b", "file.cu", 7, "kernel()");
    };
    SimdKernelInfo info = gangKernel(kernel);
    info.recursive = recursive;
    expectFault(runGangs({.block = {100}}, info, nullptr), 710,
                "file.cu:7: kernel(): block: [0,0,0], thread: [69,0,0] Assertion `a == b` failed.");
  }
}

TEST(GangFault, ServicesThatWaitAreNotForGangs) {
  auto kernel = [](GangContext *gang, const void *, uint32_t, uint32_t, uint32_t, uint32_t,
                   uint32_t) { gang->runtime->sync_warp(gang, ~0u); };
  expectFault(runGangs({.block = {32}}, gangKernel(kernel), nullptr), 719,
              "internal error: SIMD code has called the engine's sync_warp");
}

TEST(GangFault, CancelsBlocksThatWait) {
  auto kernel = [](GangContext *gang, const void *, uint32_t, uint32_t, uint32_t, uint32_t lanes,
                   uint32_t) {
    if (blockOf(gang) == 5)
      gang->runtime->trap(gang);
    suspend(gang, lanes, 1, Suspension::Yield);
  };
  for (bool one_worker : {true, false})
    expectFault(runGangs({.grid = {8}, .block = {32}, .one_worker = one_worker}, gangKernel(kernel),
                         nullptr),
                719, "block (5,0,0)");
}

// ---- Who of a gang it was ----------------------------------------------------------------------

TEST(GangFault, SaysWhetherItMayHaveBeenAnotherLane) {
  enum Way { AllLanes, OneLane, ServiceForALane };
  for (Way way : {AllLanes, OneLane, ServiceForALane}) {
    auto kernel = [](GangContext *gang, const void *parameters, uint32_t, uint32_t, uint32_t,
                     uint32_t lanes, uint32_t state) {
      const Way way = parametersAs<Way>(parameters);
      if (state == 0)
        return suspend(gang, way == OneLane ? 4 : lanes, 1, Suspension::Yield);
      if (gang->block->block_index[0] == 1 && gang->block->block_index[1] == 3)
        gang->runtime->trap(way == ServiceForALane ? &gang->lanes[2] : gang);
    };
    const auto fault =
        runGangs({.grid = {2, 5}, .block = {32}, .one_worker = true}, gangKernel(kernel), &way);
    expectFault(fault, 719, way == AllLanes ? "thread (0,0,0)" : "thread (2,0,0)");
    EXPECT_EQ(fault->block, 7u);
    EXPECT_EQ(fault->one_of_many, way == AllLanes);
  }
}

TEST(Replay, RunsOneBlockWithoutItsOutput) {
  GangLog log;
  auto kernel = [](ThreadContext *thread, const void *parameters) {
    ++GangLog::of(parameters).count;
    thread->runtime->print(thread, 1, "hello", nullptr);
    syncThreads(thread);
    if (blockOf(thread) == 3 && thread->linear_index == 40)
      thread->runtime->trap(thread);
  };
  expectFault(replayKernel({.grid = {5}, .block = {64}}, kernel, &log, 3), 719,
              "block (3,0,0), thread (40,0,0)");
  EXPECT_EQ(log.count, 64);
  EXPECT_FALSE(replayKernel({.grid = {5}, .block = {64}}, kernel, &log, 4));
  EXPECT_EQ(log.count, 128);
  EXPECT_TRUE(printed().empty());
}

// The others are not there any more.
TEST(Replay, GivesUpWhereABlockWaitsForOthers) {
  GangLog log;
  auto spins = [](ThreadContext *thread, const void *parameters) {
    while (!GangLog::of(parameters).count)
      spin(thread);
  };
  EXPECT_FALSE(replayKernel({.grid = {5}, .block = {64}}, spins, &log, 3));
  auto sync = [](ThreadContext *thread, const void *parameters) {
    thread->runtime->grid_sync(thread);
    ++GangLog::of(parameters).count;
  };
  EXPECT_FALSE(replayKernel({.grid = {5}, .block = {64}, .cooperative = true}, sync, &log, 3));
  EXPECT_EQ(log.count, 64); // there, the others have been
  EXPECT_FALSE(runKernel({.grid = {5}, .block = {64}, .cooperative = true}, sync, &log));
  EXPECT_EQ(log.count, 64 + 320);
}

// ---- Deadlocks ---------------------------------------------------------------------------------

TEST(GangDeadlock, DifferentBarriers) {
  auto kernel = [](GangContext *gang, const void *, uint32_t, uint32_t, uint32_t, uint32_t lanes,
                   uint32_t) { waitAtBarrier(gang, lanes, 1, gang->linear_index / 32); };
  expectFault(runGangs({.block = {64}}, gangKernel(kernel), nullptr), 702,
              "threads wait at different barriers");
}

TEST(GangDeadlock, ABarrierThatExpectsMoreThanCome) {
  auto kernel = [](GangContext *gang, const void *, uint32_t, uint32_t, uint32_t, uint32_t lanes,
                   uint32_t state) {
    if (state == 0)
      waitAtBarrier(gang, lanes, 1, 3, 128);
  };
  expectFault(runGangs({.block = {64}}, gangKernel(kernel), nullptr), 702,
              "at one that expects more threads than come");
}

TEST(GangDeadlock, AMaskThatNamesLanesThatNeverCome) {
  for (bool at_barrier : {false, true}) {
    auto kernel = [](GangContext *gang, const void *parameters, uint32_t, uint32_t, uint32_t,
                     uint32_t lanes, uint32_t state) {
      if (state != 0)
        return;
      forEachLane(lanes, [&](uint32_t lane) { request(gang, lane, lane ? ~0u : 1u, 0); });
      suspend(gang, lanes & ~1u, 1, Suspension::Collective, uint32_t(WarpOperation::Sync));
      if (parametersAs<bool>(parameters))
        waitAtBarrier(gang, lanes & 1, 1);
      else // the same lanes' mask, but another operation
        suspend(gang, lanes & 1, 2, Suspension::Collective, uint32_t(WarpOperation::Vote)),
            request(gang, 0, 3, 0);
    };
    expectFault(runGangs({.block = {32}}, gangKernel(kernel), &at_barrier), 702,
                at_barrier ? "some threads wait at __syncthreads(), others at a warp operation"
                           : "threads wait at a warp operation");
  }
}

TEST(GangDeadlock, GridSync) {
  auto part = [](GangContext *gang, const void *, uint32_t, uint32_t, uint32_t, uint32_t lanes,
                 uint32_t state) {
    if (state == 0 && blockOf(gang) != 3)
      suspend(gang, lanes, 1, Suspension::GridBarrier);
  };
  expectFault(
      runGangs({.grid = {6}, .block = {64}, .cooperative = true}, gangKernel(part), nullptr), 702,
      "blocks wait at grid.sync(), but others have ended without it");
  auto mixed = [](GangContext *gang, const void *, uint32_t, uint32_t, uint32_t, uint32_t lanes,
                  uint32_t) {
    if (gang->linear_index == 0)
      waitAtBarrier(gang, lanes, 1);
    else
      suspend(gang, lanes, 1, Suspension::GridBarrier);
  };
  expectFault(runGangs({.block = {64}, .cooperative = true}, gangKernel(mixed), nullptr), 702,
              "some threads of the block wait at grid.sync(), others at __syncthreads()");
  expectFault(runGangs({.block = {64}}, gangKernel(part), nullptr), 719,
              "grid.sync() in a kernel that was not launched cooperatively");
}

// ---- Services ----------------------------------------------------------------------------------

TEST(GangServices, Print) {
  auto kernel = [](GangContext *gang, const void *, uint32_t, uint32_t, uint32_t, uint32_t lanes,
                   uint32_t) {
    forEachLane(lanes, [&](uint32_t lane) {
      int index = int(indexOf(gang, lane));
      gang->runtime->print(&gang->lanes[lane], 1, "thread %d", &index);
    });
  };
  EXPECT_FALSE(runGangs({.block = {2}}, gangKernel(kernel, 8, false), nullptr));
  EXPECT_EQ(printed(), (std::vector<std::string>{"thread 0", "thread 1"}));
}

TEST(GangServices, PointersHaveASpace) {
  struct Spaces {
    uint32_t global, shared, frame;
  };
  for (bool waits : {false, true}) {
    Spaces spaces = {};
    auto kernel = [](GangContext *gang, const void *parameters, uint32_t, uint32_t, uint32_t,
                     uint32_t, uint32_t) {
      auto &result = parametersAs<Spaces>(parameters);
      auto space = [&](const void *p) { return gang->runtime->address_space(gang, p); };
      static int somewhere = 0;
      result.global = space(&somewhere);
      result.shared = space(gang->block->dynamic_shared + 15);
      result.frame = space(gang->frame + 99);
    };
    EXPECT_FALSE(runGangs({.block = {70}, .dynamic_shared_bytes = 16},
                          gangKernel(kernel, 32, waits), &spaces));
    EXPECT_EQ(spaces.global, 1u); // PTX ISA, "isspacep"
    EXPECT_EQ(spaces.shared, 3u);
    EXPECT_EQ(spaces.frame, 5u);
  }
}

// Kernels that recurse, or need much stack, have one whose end they can see.
TEST(GangServices, StacksHaveALimit) {
  struct Seen {
    std::atomic<int> wrong{0};
    bool recursive = false;
  } seen;
  auto kernel = [](GangContext *gang, const void *parameters, uint32_t, uint32_t, uint32_t,
                   uint32_t lanes, uint32_t state) {
    auto &result = parametersAs<Seen>(parameters);
    const auto here = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
    result.wrong += gang->stack_limit != gang->lanes[3].stack_limit;
    if (result.recursive)
      result.wrong += gang->stack_limit >= here || here - gang->stack_limit > (1u << 20);
    else
      result.wrong += gang->stack_limit != 0;
    if (state == 0)
      waitAtBarrier(gang, lanes, 1);
  };
  SimdKernelInfo info = gangKernel(kernel);
  for (bool recursive : {true, false, true}) {
    info.recursive = seen.recursive = recursive;
    EXPECT_FALSE(runGangs({.grid = {20}, .block = {64}}, info, &seen));
    EXPECT_EQ(seen.wrong, 0);
  }
}

// A scalar function that spins is only given a new budget.
TEST(GangServices, YieldReturns) {
  auto kernel = [](GangContext *gang, const void *, uint32_t, uint32_t, uint32_t, uint32_t,
                   uint32_t) {
    gang->lanes[1].spin_budget = -1;
    gang->runtime->yield(&gang->lanes[1]);
    if (gang->lanes[1].spin_budget <= 0)
      gang->runtime->trap(gang);
  };
  EXPECT_FALSE(runGangs({.block = {32}}, gangKernel(kernel, 32, false), nullptr));
}

} // namespace

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lanes of a warp that meet, part, and wait for each other (CUDA guide, "Independent Thread
// Scheduling").
#include "kernel_run.h"

#include <bit>
#include <gtest/gtest.h>

using namespace heddle::engine;

namespace {

struct Results {
  uint32_t values[128] = {};
  std::atomic<int> wrong{0}, count{0};
  static Results &of(const void *p) {
    return *const_cast<Results *>(static_cast<const Results *>(p));
  }
  static uint32_t &mine(const void *p, const ThreadContext *thread) {
    return of(p).values[thread->linear_index];
  }
};

TEST(WarpSchedule, LanesExchangeValues) {
  Results results;
  auto kernel = [](ThreadContext *thread, const void *parameters) {
    uint32_t sum = thread->linear_index;
    for (uint32_t delta = 16; delta; delta /= 2)
      sum += thread->runtime->shuffle(thread, ShuffleMode::Xor, ~0u, sum, delta, 31).value;
    Results::mine(parameters, thread) = sum;
  };
  EXPECT_FALSE(runKernel({.block = {64}}, kernel, &results));
  for (uint32_t i = 0; i < 64; ++i)
    EXPECT_EQ(results.values[i], i < 32 ? 31u * 16 : 31u * 16 + 32 * 32);
}

TEST(WarpSchedule, AllServicesOfAWarp) {
  Results results;
  auto kernel = [](ThreadContext *thread, const void *parameters) {
    const RuntimeTable &runtime = *thread->runtime;
    const uint32_t lane = laneOf(thread);
    int bad = 0;
    bad += runtime.vote(thread, VoteMode::Ballot, ~0u, lane < 5) != 0x1f;
    bad += runtime.vote(thread, VoteMode::All, ~0u, 1) != 1;
    bad += runtime.vote(thread, VoteMode::Any, ~0u, lane == 31) != 1;
    bad += runtime.match_any(thread, ~0u, lane / 16) != (lane < 16 ? 0xffffu : 0xffff0000u);
    bad += runtime.match_all(thread, ~0u, 9).value != ~0u;
    bad += runtime.match_all(thread, ~0u, lane).predicate != 0;
    bad += runtime.reduce(thread, ReduceOperation::Add, ~0u, lane) != 31 * 16;
    bad += runtime.reduce(thread, ReduceOperation::MaxSigned, ~0u, lane - 16) != 15;
    runtime.sync_warp(thread, ~0u);
    Results::of(parameters).wrong += bad;
  };
  EXPECT_FALSE(runKernel({.grid = {3}, .block = {96}}, kernel, &results));
  EXPECT_EQ(results.wrong, 0);
}

// Two halves of a warp run different operations, in different numbers, at the same time.
TEST(WarpSchedule, GroupsOfAWarpAreIndependent) {
  Results results;
  auto kernel = [](ThreadContext *thread, const void *parameters) {
    const uint32_t half = laneOf(thread) / 16, mask = half ? 0xffff0000u : 0xffffu;
    uint32_t sum = 0;
    for (uint32_t round = 0; round < 2 + half * 3; ++round)
      sum += thread->runtime->reduce(thread, ReduceOperation::Add, mask, 1);
    Results::mine(parameters, thread) = sum;
  };
  EXPECT_FALSE(runKernel({.block = {32}}, kernel, &results));
  for (uint32_t i = 0; i < 32; ++i)
    EXPECT_EQ(results.values[i], i < 16 ? 32u : 80u);
}

// A full mask in a warp that is not full, or in which lanes have ended, means those that are there.
TEST(WarpSchedule, LanesThatDoNotExistOrHaveEndedAreNotWaitedFor) {
  Results results;
  auto kernel = [](ThreadContext *thread, const void *parameters) {
    if (thread->linear_index % 2)
      return;
    Results::mine(parameters, thread) = thread->runtime->vote(thread, VoteMode::Ballot, ~0u, 1);
  };
  EXPECT_FALSE(runKernel({.block = {40}}, kernel, &results));
  EXPECT_EQ(results.values[0], 0x55555555u);
  EXPECT_EQ(results.values[38], 0x55u);
}

TEST(WarpSchedule, ALaneThatEndsLaterReleasesTheOthers) {
  Results results;
  auto kernel = [](ThreadContext *thread, const void *parameters) {
    if (laneOf(thread) == 31) {
      thread->runtime->yield(thread);
      return;
    }
    Results::mine(parameters, thread) = thread->runtime->vote(thread, VoteMode::Ballot, ~0u, 1);
  };
  EXPECT_FALSE(runKernel({.block = {32}}, kernel, &results));
  EXPECT_EQ(results.values[0], 0x7fffffffu);
}

// A lane always takes part in its own operation, though its mask does not say so.
TEST(WarpSchedule, AMaskWithoutTheCallerIsForgiven) {
  Results results;
  auto kernel = [](ThreadContext *thread, const void *parameters) {
    Results::mine(parameters, thread) = thread->runtime->vote(thread, VoteMode::Any, 0, 1);
  };
  EXPECT_FALSE(runKernel({.block = {32}}, kernel, &results));
  EXPECT_EQ(results.values[3], 1u);
}

// ---- __activemask ------------------------------------------------------------------------------

TEST(ActiveMask, AllLanesTogether) {
  Results results;
  auto kernel = [](ThreadContext *thread, const void *parameters) {
    Results::mine(parameters, thread) = thread->runtime->active_mask(thread, 1);
  };
  EXPECT_FALSE(runKernel({.block = {40}}, kernel, &results));
  EXPECT_EQ(results.values[0], ~0u);
  EXPECT_EQ(results.values[39], 0xffu);
}

TEST(ActiveMask, LanesAtTheSamePlace) {
  Results results;
  auto kernel = [](ThreadContext *thread, const void *parameters) {
    const uint32_t lane = laneOf(thread);
    uint32_t &mine = Results::mine(parameters, thread);
    if (lane < 8)
      mine = thread->runtime->active_mask(thread, 1);
    else if (lane < 12)
      return;
    else
      mine = thread->runtime->active_mask(thread, 2);
    thread->runtime->sync_warp(thread, mine);
    mine ^= thread->runtime->active_mask(thread, 3); // all are together again
  };
  EXPECT_FALSE(runKernel({.block = {32}}, kernel, &results));
  EXPECT_EQ(results.values[0], 0xffu ^ 0xfffff0ffu);
  EXPECT_EQ(results.values[31], 0xfffff000u ^ 0xfffff0ffu);
}

// One lane prints until another one has passed its own printf.
TEST(ActiveMask, NoPlaceIsPassedOverForever) {
  Results results;
  auto kernel = [](ThreadContext *thread, const void *parameters) {
    Results &r = Results::of(parameters);
    if (laneOf(thread) == 0) {
      while (!r.count)
        thread->runtime->active_mask(thread, 1);
    } else {
      thread->runtime->active_mask(thread, 2);
      r.count = 1;
    }
  };
  EXPECT_FALSE(runKernel({.block = {32}}, kernel, &results));
}

// Lanes that spin until this one gets on must not be waited for forever.
TEST(ActiveMask, DoesNotWaitForLanesThatWaitForIt) {
  Results results;
  auto kernel = [](ThreadContext *thread, const void *parameters) {
    Results &r = Results::of(parameters);
    if (laneOf(thread) == 0) {
      r.values[0] = thread->runtime->active_mask(thread, 1);
      r.count = 1;
    } else {
      while (!r.count)
        spin(thread);
    }
  };
  EXPECT_FALSE(runKernel({.block = {32}}, kernel, &results));
  EXPECT_EQ(results.values[0], 1u);
}

// ---- Spinning ----------------------------------------------------------------------------------

// A lock taken lane by lane (CUDA guide: works since Volta, where lanes make progress by
// themselves).
TEST(Spin, ALockBetweenLanes) {
  struct Shared {
    std::atomic<int> lock{0};
    int sum = 0;
  } shared;
  auto kernel = [](ThreadContext *thread, const void *parameters) {
    auto &s = *const_cast<Shared *>(static_cast<const Shared *>(parameters));
    for (int expected = 0; !s.lock.compare_exchange_weak(expected, 1); expected = 0)
      spin(thread);
    const int before = s.sum;
    thread->runtime->yield(thread); // others try while this one holds the lock
    s.sum = before + 1;
    s.lock = 0;
  };
  EXPECT_FALSE(runKernel({.grid = {4}, .block = {64}}, kernel, &shared));
  EXPECT_EQ(shared.sum, 256);
}

// An earlier lane waits for a later one, in the same warp and in the next.
TEST(Spin, LanesWaitForLaterOnes) {
  for (uint32_t threads : {32u, 64u}) {
    Results results;
    results.values[127] = threads - 1;
    auto kernel = [](ThreadContext *thread, const void *parameters) {
      Results &r = Results::of(parameters);
      // The last thread starts a chain that runs backwards.
      if (thread->linear_index < r.values[127])
        while (r.count != int(r.values[127] - thread->linear_index))
          spin(thread);
      ++r.count;
    };
    EXPECT_FALSE(runKernel({.block = {threads}}, kernel, &results));
    EXPECT_EQ(results.count, int(threads));
  }
}

// A loop that waits for another warp with a warp operation in it.
TEST(Spin, AWarpWaitsWithWarpOperations) {
  Results results;
  auto kernel = [](ThreadContext *thread, const void *parameters) {
    Results &r = Results::of(parameters);
    if (thread->linear_index < 32)
      while (!thread->runtime->vote(thread, VoteMode::Any, ~0u, r.count != 0))
        spin(thread);
    ++r.count;
  };
  EXPECT_FALSE(runKernel({.block = {64}}, kernel, &results));
  EXPECT_EQ(results.count, 64);
}

TEST(Spin, OthersWaitAtABarrierMeanwhile) {
  Results results;
  auto kernel = [](ThreadContext *thread, const void *parameters) {
    Results &r = Results::of(parameters);
    if (thread->linear_index == 0)
      while (r.count != 63)
        spin(thread);
    ++r.count;
    syncThreads(thread);
    r.wrong += r.count != 64;
  };
  EXPECT_FALSE(runKernel({.block = {64}}, kernel, &results));
  EXPECT_EQ(results.wrong, 0);
}

} // namespace

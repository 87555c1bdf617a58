// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Block barriers (PTX ISA, "bar"): which threads wait for which, what they reduce, and when no
// thread can go on.
#include "kernel_run.h"

#include <gtest/gtest.h>

using namespace heddle::engine;

namespace {

struct Results {
  uint32_t values[128] = {};
  std::atomic<int> count{0}, wrong{0};
  static Results &of(const void *p) {
    return *const_cast<Results *>(static_cast<const Results *>(p));
  }
};

std::string deadlock(const KernelRun &run, KernelEntry entry, const void *parameters = nullptr) {
  const auto fault = runKernel(run, entry, parameters);
  EXPECT_TRUE(fault);
  if (!fault)
    return "";
  EXPECT_EQ(fault->error, 702);
  return fault->message;
}

TEST(Barrier, NobodyPassesBeforeAllHaveCome) {
  Results results;
  auto kernel = [](ThreadContext *thread, const void *parameters) {
    Results &r = Results::of(parameters);
    for (int round = 1; round <= 10; ++round) {
      ++r.count;
      syncThreads(thread);
      r.wrong += r.count != round * 100;
      syncThreads(thread);
    }
  };
  EXPECT_FALSE(runKernel({.block = {100}}, kernel, &results));
  EXPECT_EQ(results.wrong, 0);
}

// PTX ISA, "barrier": threads that have exited count as arrived.
TEST(Barrier, ThreadsThatHaveEndedAreNotWaitedFor) {
  Results results;
  auto kernel = [](ThreadContext *thread, const void *parameters) {
    if (thread->linear_index >= 50)
      return;
    syncThreads(thread);
    ++Results::of(parameters).count;
  };
  EXPECT_FALSE(runKernel({.block = {100}}, kernel, &results));
  EXPECT_EQ(results.count, 50);
}

// The last ones end only when the others already wait.
TEST(Barrier, AThreadThatEndsLaterOpensIt) {
  Results results;
  auto kernel = [](ThreadContext *thread, const void *parameters) {
    if (thread->linear_index == 99) {
      thread->runtime->yield(thread);
      thread->runtime->exit(thread);
    }
    syncThreads(thread);
    ++Results::of(parameters).count;
  };
  EXPECT_FALSE(runKernel({.block = {100}}, kernel, &results));
  EXPECT_EQ(results.count, 99);
}

// CUDA guide: __syncthreads in divergent code works on real GPUs if every thread comes to one.
TEST(Barrier, ComesFromDifferentPlaces) {
  Results results;
  auto kernel = [](ThreadContext *thread, const void *parameters) {
    ++Results::of(parameters).count;
    if (thread->linear_index % 2)
      syncThreads(thread);
    else
      thread->runtime->barrier(thread, 0, 0, BarrierReduction::None, 0);
    Results::of(parameters).wrong += Results::of(parameters).count != 64;
  };
  EXPECT_FALSE(runKernel({.block = {64}}, kernel, &results));
  EXPECT_EQ(results.wrong, 0);
}

TEST(Barrier, Reduces) {
  struct Case {
    BarrierReduction reduction;
    uint32_t below, expected; // threads below `below` say true
  };
  static Case current;
  const Case cases[] = {{BarrierReduction::Count, 0, 0},   {BarrierReduction::Count, 37, 37},
                        {BarrierReduction::Count, 70, 70}, {BarrierReduction::And, 70, 1},
                        {BarrierReduction::And, 69, 0},    {BarrierReduction::Or, 0, 0},
                        {BarrierReduction::Or, 1, 1},      {BarrierReduction::Or, 70, 1}};
  for (const Case &each : cases) {
    current = each;
    Results results;
    auto kernel = [](ThreadContext *thread, const void *parameters) {
      for (int round = 0; round < 3; ++round) { // counts start at zero each time
        const uint32_t truth = thread->linear_index < current.below ? 4 : 0; // any value but 0
        const uint32_t result = thread->runtime->barrier(thread, 0, 0, current.reduction, truth);
        Results::of(parameters).wrong += result != current.expected;
      }
    };
    EXPECT_FALSE(runKernel({.block = {70}}, kernel, &results));
    EXPECT_EQ(results.wrong, 0) << int(each.reduction) << " " << each.below;
  }
}

TEST(Barrier, ReductionsLeaveOutThreadsThatHaveEnded) {
  Results results;
  auto kernel = [](ThreadContext *thread, const void *parameters) {
    if (thread->linear_index >= 40)
      return;
    const uint32_t all = thread->runtime->barrier(thread, 0, 0, BarrierReduction::And, 1);
    const uint32_t count = thread->runtime->barrier(thread, 0, 0, BarrierReduction::Count, 1);
    Results::of(parameters).wrong += all != 1 || count != 40;
  };
  EXPECT_FALSE(runKernel({.block = {64}}, kernel, &results));
  EXPECT_EQ(results.wrong, 0);
}

// ---- Named barriers ----------------------------------------------------------------------------

// Two halves of the block each have a barrier, and pass different numbers of them.
TEST(NamedBarrier, AreIndependent) {
  Results results;
  auto kernel = [](ThreadContext *thread, const void *parameters) {
    Results &r = Results::of(parameters);
    const uint32_t half = thread->linear_index / 64;
    for (uint32_t round = 1; round <= 3 + half * 4; ++round) {
      __atomic_fetch_add(&r.values[half], 1, __ATOMIC_RELAXED);
      thread->runtime->barrier(thread, 1 + half, 64, BarrierReduction::None, 0);
      r.wrong += r.values[half] != round * 64;
      thread->runtime->barrier(thread, 1 + half, 64, BarrierReduction::None, 0);
    }
  };
  EXPECT_FALSE(runKernel({.block = {128}}, kernel, &results));
  EXPECT_EQ(results.wrong, 0);
}

// bar.arrive: producers note that they are done and go on; consumers wait for them.
TEST(NamedBarrier, ArrivalsDoNotWait) {
  Results results;
  auto kernel = [](ThreadContext *thread, const void *parameters) {
    Results &r = Results::of(parameters);
    if (thread->linear_index < 32) { // consumers come first
      thread->runtime->barrier(thread, 3, 64, BarrierReduction::None, 0);
      r.wrong += r.count != 32;
    } else {
      ++r.count;
      thread->runtime->barrier_arrive(thread, 3, 64);
    }
  };
  EXPECT_FALSE(runKernel({.block = {64}}, kernel, &results));
  EXPECT_EQ(results.wrong, 0);
  EXPECT_EQ(results.count, 32);
}

TEST(NamedBarrier, AllSixteenWork) {
  Results results;
  auto kernel = [](ThreadContext *thread, const void *parameters) {
    for (uint32_t id = 0; id < 16; ++id) {
      ++Results::of(parameters).count;
      const uint32_t all = thread->runtime->barrier(thread, id, 0, BarrierReduction::Count, 1);
      Results::of(parameters).wrong += all != 48;
    }
  };
  EXPECT_FALSE(runKernel({.block = {48}}, kernel, &results));
  EXPECT_EQ(results.wrong, 0);
}

// ---- Deadlocks ---------------------------------------------------------------------------------

TEST(Deadlock, DifferentBarriers) {
  auto kernel = [](ThreadContext *thread, const void *) {
    thread->runtime->barrier(thread, thread->linear_index % 2, 64, BarrierReduction::None, 0);
  };
  EXPECT_NE(deadlock({.block = {64}}, kernel).find("different barriers"), std::string::npos);
}

TEST(Deadlock, ABarrierThatExpectsMoreThanThereAre) {
  auto kernel = [](ThreadContext *thread, const void *) {
    thread->runtime->barrier(thread, 1, 96, BarrierReduction::None, 0);
  };
  EXPECT_NE(deadlock({.block = {64}}, kernel).find("expects more threads"), std::string::npos);
}

TEST(Deadlock, AWarpOperationWhoseMaskNamesAWaitingThread) {
  auto kernel = [](ThreadContext *thread, const void *) {
    if (thread->linear_index < 16)
      thread->runtime->sync_warp(thread, ~0u);
    syncThreads(thread);
  };
  const std::string message = deadlock({.block = {32}}, kernel);
  EXPECT_NE(message.find("some threads wait at __syncthreads()"), std::string::npos) << message;
  EXPECT_NE(message.find("whose mask names threads that never come"), std::string::npos);
}

TEST(Deadlock, WarpOperationsThatDoNotMatch) {
  auto kernel = [](ThreadContext *thread, const void *) {
    if (thread->linear_index < 16)
      thread->runtime->sync_warp(thread, ~0u);
    else
      thread->runtime->vote(thread, VoteMode::All, ~0u, 1);
  };
  const std::string message = deadlock({.block = {32}}, kernel);
  EXPECT_NE(message.find("threads wait at a warp operation"), std::string::npos) << message;
}

TEST(Deadlock, AGridBarrierThatNotAllThreadsOfABlockReach) {
  auto kernel = [](ThreadContext *thread, const void *) {
    if (thread->linear_index == 0)
      syncThreads(thread);
    else
      thread->runtime->grid_sync(thread);
  };
  const std::string message = deadlock({.block = {32}, .cooperative = true}, kernel);
  EXPECT_NE(message.find("grid.sync()"), std::string::npos) << message;
}

TEST(Deadlock, NamesTheBlock) {
  auto kernel = [](ThreadContext *thread, const void *) {
    if (blockOf(thread) == 7)
      thread->runtime->barrier(thread, 1, 1024, BarrierReduction::None, 0);
  };
  EXPECT_NE(deadlock({.grid = {10}, .block = {32}}, kernel).find("block (7,0,0)"),
            std::string::npos);
}

} // namespace

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks that wait for each other: flags in memory, and the grid barrier of cooperative launches.
#include "kernel_run.h"

#include <gtest/gtest.h>

using namespace heddle::engine;

namespace {

struct Results {
  std::atomic<uint32_t> arrived[64] = {};
  std::atomic<int> wrong{0}, count{0};
  static Results &of(const void *p) {
    return *const_cast<Results *>(static_cast<const Results *>(p));
  }
};

void waitFor(ThreadContext *thread, std::atomic<uint32_t> &flag, uint32_t value) {
  while (flag != value)
    spin(thread);
}

class BlocksThatWait : public testing::TestWithParam<bool> {};

// Decoupled look-back and its kin: block i waits for block i - 1.
TEST_P(BlocksThatWait, ForAnEarlierOne) {
  Results results;
  auto kernel = [](ThreadContext *thread, const void *parameters) {
    Results &r = Results::of(parameters);
    const uint32_t block = blockOf(thread);
    if (thread->linear_index == 0) {
      if (block > 0)
        waitFor(thread, r.arrived[block - 1], 1);
      r.arrived[block] = 1;
    }
    syncThreads(thread);
    ++r.count;
  };
  EXPECT_FALSE(
      runKernel({.grid = {64}, .block = {40}, .one_worker = GetParam()}, kernel, &results));
  EXPECT_EQ(results.count, 64 * 40);
}

// A loop that waits with a warp operation in it: lanes get on at each round, yet nothing happens.
TEST_P(BlocksThatWait, ForALaterOneWithWarpOperationsMeanwhile) {
  Results results;
  auto kernel = [](ThreadContext *thread, const void *parameters) {
    Results &r = Results::of(parameters);
    if (blockOf(thread) == 0)
      while (!thread->runtime->vote(thread, VoteMode::Any, ~0u, r.arrived[1]))
        spin(thread);
    r.arrived[blockOf(thread)] = 1;
    ++r.count;
  };
  EXPECT_FALSE(runKernel({.grid = {2}, .block = {32}, .one_worker = GetParam()}, kernel, &results));
  EXPECT_EQ(results.count, 64);
}

// A GPU holds several blocks at once, so a block may wait for a later one as long as both fit.
TEST_P(BlocksThatWait, ForALaterOne) {
  Results results;
  auto kernel = [](ThreadContext *thread, const void *parameters) {
    Results &r = Results::of(parameters);
    const uint32_t block = blockOf(thread);
    if (block < 7)
      waitFor(thread, r.arrived[block + 1], 1);
    if (thread->linear_index == 0)
      r.arrived[block] = 1;
    ++r.count;
  };
  EXPECT_FALSE(runKernel({.grid = {8},
                          .block = {32},
                          .multiprocessors = 4,
                          .blocks_per_multiprocessor = 2,
                          .one_worker = GetParam()},
                         kernel, &results));
  EXPECT_EQ(results.count, 8 * 32);
}

// All blocks meet, several times; threads that have ended count as arrived.
TEST_P(BlocksThatWait, AtTheGridBarrier) {
  Results results;
  auto kernel = [](ThreadContext *thread, const void *parameters) {
    Results &r = Results::of(parameters);
    r.wrong += thread->runtime->grid_is_cooperative(thread) != 1;
    if (thread->linear_index >= 40)
      return;
    for (int round = 1; round <= 5; ++round) {
      ++r.count;
      thread->runtime->grid_sync(thread);
      r.wrong += r.count != round * 12 * 40;
      thread->runtime->grid_sync(thread);
    }
  };
  EXPECT_FALSE(
      runKernel({.grid = {12}, .block = {50}, .cooperative = true, .one_worker = GetParam()},
                kernel, &results));
  EXPECT_EQ(results.wrong, 0);
}

// Cooperative groups, "Grid Synchronization": every block must come. One that has ended never will.
TEST_P(BlocksThatWait, AtAGridBarrierThatSomeNeverReach) {
  auto kernel = [](ThreadContext *thread, const void *) {
    if (blockOf(thread) % 3 != 0)
      thread->runtime->grid_sync(thread);
  };
  const auto fault =
      runKernel({.grid = {12}, .block = {32}, .cooperative = true, .one_worker = GetParam()},
                kernel, nullptr);
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->error, 702);
  EXPECT_NE(fault->message.find("grid.sync()"), std::string::npos) << fault->message;
}

INSTANTIATE_TEST_SUITE_P(OneOrManyWorkers, BlocksThatWait, testing::Bool(),
                         [](const auto &info) { return info.param ? "One" : "Many"; });

TEST(GridBarrier, NeedsACooperativeLaunch) {
  Results results;
  auto kernel = [](ThreadContext *thread, const void *parameters) {
    Results::of(parameters).wrong += thread->runtime->grid_is_cooperative(thread) != 0;
    thread->runtime->grid_sync(thread);
  };
  const auto fault = runKernel({.block = {32}}, kernel, &results);
  ASSERT_TRUE(fault);
  EXPECT_NE(fault->message.find("not launched cooperatively"), std::string::npos);
  EXPECT_EQ(results.wrong, 0);
}

TEST(GridBarrier, AFaultElsewhereEndsThoseThatWait) {
  auto kernel = [](ThreadContext *thread, const void *) {
    if (blockOf(thread) == 3)
      thread->runtime->trap(thread);
    thread->runtime->grid_sync(thread);
  };
  const auto fault = runKernel({.grid = {8}, .block = {32}, .cooperative = true}, kernel, nullptr);
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->error, 719);
}

} // namespace

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which thread runs when, what it sees of itself, and how threads and blocks end.
#include "kernel_run.h"

#include <gtest/gtest.h>
#include <mutex>
#include <set>
#include <thread>

#if !defined(__has_feature)
#define __has_feature(x) 0
#endif

using namespace heddle::engine;

namespace {

struct Log {
  std::mutex lock;
  std::vector<std::pair<uint32_t, uint32_t>> ran; // block, thread
  void add(const ThreadContext *thread) {
    std::lock_guard guard(lock);
    ran.push_back({blockOf(thread), thread->linear_index});
  }
  static Log &of(const void *parameters) {
    return *const_cast<Log *>(static_cast<const Log *>(parameters));
  }
};

void logThread(ThreadContext *thread, const void *parameters) { Log::of(parameters).add(thread); }

TEST(Schedule, OneThreadAfterAnotherInAscendingOrder) {
  Log log;
  EXPECT_FALSE(runKernel({.grid = {3}, .block = {70}, .one_worker = true}, logThread, &log));
  ASSERT_EQ(log.ran.size(), 210u);
  for (uint32_t i = 0; i < 210; ++i)
    EXPECT_EQ(log.ran[i], std::pair(i / 70, i % 70));
}

TEST(Schedule, EveryThreadRunsOnceOnManyWorkers) {
  Log log;
  EXPECT_FALSE(runKernel({.grid = {200}, .block = {40}}, logThread, &log));
  EXPECT_EQ(log.ran.size(), 8000u);
  EXPECT_EQ(std::set(log.ran.begin(), log.ran.end()).size(), 8000u);
}

TEST(Schedule, AnEmptyKernelEnds) {
  EXPECT_FALSE(
      runKernel({.grid = {1000}, .block = {1024}}, [](ThreadContext *, const void *) {}, nullptr));
}

TEST(Schedule, ThreadsKnowTheirPlace) {
  struct Seen {
    std::atomic<int> wrong{0}, threads{0};
  } seen;
  auto kernel = [](ThreadContext *thread, const void *parameters) {
    auto &result = *const_cast<Seen *>(static_cast<const Seen *>(parameters));
    const BlockContext &block = *thread->block;
    const uint32_t *t = thread->thread_index, *b = block.block_index;
    const bool inside = t[0] < 5 && t[1] < 3 && t[2] < 4 && b[0] < 2 && b[1] < 6 && b[2] < 3;
    const bool shapes = block.block_dim[0] == 5 && block.block_dim[1] == 3 &&
                        block.block_dim[2] == 4 && block.grid_dim[0] == 2 &&
                        block.grid_dim[1] == 6 && block.grid_dim[2] == 3;
    const bool linear = thread->linear_index == t[0] + t[1] * 5 + t[2] * 15;
    result.wrong += !(inside && shapes && linear);
    ++result.threads;
  };
  EXPECT_FALSE(runKernel({.grid = {2, 6, 3}, .block = {5, 3, 4}}, kernel, &seen));
  EXPECT_EQ(seen.wrong, 0);
  EXPECT_EQ(seen.threads, 60 * 36);
}

// CUDA guide, "Shared Memory": all threads of a block see the same bytes; the driver aligns them.
TEST(Schedule, SharedMemoryIsTheBlocksOwn) {
  std::atomic<int> wrong{0};
  auto kernel = [](ThreadContext *thread, const void *parameters) {
    BlockContext &block = *thread->block;
    auto &bad = *const_cast<std::atomic<int> *>(static_cast<const std::atomic<int> *>(parameters));
    bad += reinterpret_cast<uintptr_t>(block.shared) % 256 != 0;
    bad += reinterpret_cast<uintptr_t>(block.dynamic_shared) % 128 != 0;
    bad += reinterpret_cast<uintptr_t>(block.dynamic_shared) >> 32 != 0;
    bad += block.dynamic_shared < block.shared + 100;
    bad += block.dynamic_shared_bytes != 64 * 4;
    auto *numbers = reinterpret_cast<uint32_t *>(block.dynamic_shared);
    numbers[thread->linear_index] = blockOf(thread) * 1000 + thread->linear_index;
    block.shared[99] = char(blockOf(thread));
    syncThreads(thread);
    const uint32_t other = 63 - thread->linear_index;
    bad += numbers[other] != blockOf(thread) * 1000 + other;
    bad += block.shared[99] != char(blockOf(thread));
  };
  EXPECT_FALSE(runKernel(
      {.grid = {50}, .block = {64}, .static_shared_bytes = 100, .dynamic_shared_bytes = 64 * 4},
      kernel, &wrong));
  EXPECT_EQ(wrong, 0);
}

// What a thread keeps for its next launch goes when it ends.
TEST(Schedule, AThreadThatHasLaunchedMayEnd) {
  Log log;
  for (uint32_t bytes : {0u, 100u, 100000u})
    std::thread([&] {
      EXPECT_FALSE(runKernel({.block = {64}, .dynamic_shared_bytes = bytes}, logThread, &log));
    }).join();
  EXPECT_EQ(log.ran.size(), 192u);
}

// ---- Ends --------------------------------------------------------------------------------------

// `exit` ends the thread at any depth; the others go on.
TEST(Schedule, AThreadMayExitInTheMiddle) {
  Log log;
  auto kernel = [](ThreadContext *thread, const void *parameters) {
    if (thread->linear_index % 3 == 0)
      thread->runtime->exit(thread);
    syncThreads(thread);
    Log::of(parameters).add(thread);
    if (thread->linear_index == 40)
      thread->runtime->exit(thread);
    syncThreads(thread);
  };
  EXPECT_FALSE(runKernel({.grid = {20}, .block = {96}}, kernel, &log));
  EXPECT_EQ(log.ran.size(), 20u * 64);
  for (auto [block, thread] : log.ran)
    EXPECT_NE(thread % 3, 0u);
}

TEST(Schedule, AFaultNamesItsThreadAndEndsTheGrid) {
  Log log;
  auto kernel = [](ThreadContext *thread, const void *parameters) {
    Log::of(parameters).add(thread);
    if (blockOf(thread) == 3 && thread->linear_index == 33)
      thread->runtime->trap(thread);
  };
  const auto fault = runKernel({.grid = {1000}, .block = {64}, .one_worker = true}, kernel, &log);
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->error, 719);
  EXPECT_NE(fault->message.find("block (3,0,0), thread (33,0,0)"), std::string::npos)
      << fault->message;
  EXPECT_EQ(log.ran.size(), 3u * 64 + 34);
}

// Blocks that would never end by themselves are cancelled too.
TEST(Schedule, AFaultCancelsBlocksThatWait) {
  std::atomic<int> never{0};
  auto kernel = [](ThreadContext *thread, const void *parameters) {
    auto &flag = *static_cast<const std::atomic<int> *>(parameters);
    if (blockOf(thread) == 5)
      thread->runtime->trap(thread);
    while (!flag)
      spin(thread);
  };
  for (bool one_worker : {true, false}) {
    const auto fault =
        runKernel({.grid = {8}, .block = {32}, .one_worker = one_worker}, kernel, &never);
    ASSERT_TRUE(fault);
    EXPECT_EQ(fault->error, 719);
  }
}

TEST(Schedule, TheNextLaunchIsAsIfNothingHadHappened) {
  auto bad = [](ThreadContext *thread, const void *) {
    if (thread->linear_index == 50)
      thread->runtime->trap(thread);
    syncThreads(thread);
  };
  for (int round = 0; round < 20; ++round) {
    EXPECT_TRUE(runKernel({.grid = {4}, .block = {64}}, bad, nullptr));
    Log log;
    EXPECT_FALSE(runKernel({.grid = {10}, .block = {64}}, logThread, &log));
    EXPECT_EQ(log.ran.size(), 640u);
  }
}

TEST(Schedule, AssertMisalignmentAndStackOverflowAreTold) {
  auto assertion = [](ThreadContext *thread, const void *) {
    thread->runtime->assert_fail(thread, "a == b", "file.cu", 7, "kernel()");
  };
  auto misaligned = [](ThreadContext *thread, const void *) {
    thread->runtime->misaligned(thread, reinterpret_cast<void *>(0x1001));
  };
  auto overflow = [](ThreadContext *thread, const void *) {
    thread->runtime->stack_overflow(thread);
  };
  const std::pair<KernelEntry, int> expected[] = {
      {assertion, 710}, {misaligned, 716}, {overflow, 700}};
  for (auto [kernel, error] : expected) {
    const auto fault = runKernel({}, kernel, nullptr);
    ASSERT_TRUE(fault);
    EXPECT_EQ(fault->error, error);
  }
}

// ---- Services ----------------------------------------------------------------------------------

TEST(Schedule, PrintsOfAWarpComeTogetherInLaneOrder) {
  auto kernel = [](ThreadContext *thread, const void *) {
    int lane = int(thread->linear_index);
    thread->runtime->print(thread, 1, "a%d", &lane);
    thread->runtime->print(thread, 2, "b%d", &lane);
  };
  EXPECT_FALSE(runKernel({.block = {40}}, kernel, nullptr));
  std::vector<std::string> expected;
  for (auto [first, last] : {std::pair(0, 32), std::pair(32, 40)})
    for (const char *letter : {"a", "b"})
      for (int lane = first; lane < last; ++lane)
        expected.push_back(letter + std::to_string(lane));
  EXPECT_EQ(printed(), expected);
}

TEST(Schedule, PointersHaveASpace) {
  struct Spaces {
    uint32_t global, shared, dynamic, local;
    int variable;
  } spaces = {};
  auto kernel = [](ThreadContext *thread, const void *parameters) {
    auto *result = const_cast<Spaces *>(static_cast<const Spaces *>(parameters));
    auto space = [&](const void *p) { return thread->runtime->address_space(thread, p); };
    int local = 0;
    result->global = space(&result->variable);
    result->shared = space(thread->block->shared);
    result->dynamic = space(thread->block->dynamic_shared + 15);
    result->local = space(&local);
  };
  EXPECT_FALSE(runKernel({.static_shared_bytes = 8, .dynamic_shared_bytes = 16}, kernel, &spaces));
  EXPECT_EQ(spaces.global, 1u); // PTX ISA, "isspacep"
  EXPECT_EQ(spaces.shared, 3u);
  EXPECT_EQ(spaces.dynamic, 3u);
#if !defined(__SANITIZE_ADDRESS__) && !__has_feature(address_sanitizer)
  EXPECT_EQ(spaces.local, 5u); // the sanitizer moves locals to a stack of its own
#endif
}

TEST(Schedule, ClocksGoForward) {
  std::atomic<int> wrong{0};
  auto kernel = [](ThreadContext *thread, const void *parameters) {
    auto &bad = *const_cast<std::atomic<int> *>(static_cast<const std::atomic<int> *>(parameters));
    const uint64_t cycles = thread->runtime->clock(thread),
                   ns = thread->runtime->global_timer(thread);
    bad += thread->runtime->clock(thread) < cycles;
    bad += thread->runtime->global_timer(thread) < ns;
  };
  EXPECT_FALSE(runKernel({.block = {64}}, kernel, &wrong));
  EXPECT_EQ(wrong, 0);
}

} // namespace

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How blocks are handed out: each once, in ascending order, in chunks that suit their length.
#include "engine/schedule/chunks.h"
#include "engine/schedule/worker.h"
#include "simd/gang_run.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <set>
#include <thread>

using namespace heddle::engine;

namespace {

void logBlock(GangContext *gang, const void *parameters, uint32_t, uint32_t, uint32_t,
              uint32_t lanes, uint32_t state) {
  GangLog::of(parameters).add(gang, lanes, state);
}

TEST(Chunks, OneWorkerRunsBlocksInOrder) {
  GangLog log;
  EXPECT_FALSE(runGangs({.grid = {10000}, .block = {32}, .one_worker = true},
                        gangKernel(logBlock, 32, false), &log));
  ASSERT_EQ(log.calls.size(), 10000u);
  for (uint32_t i = 0; i < 10000; ++i)
    ASSERT_EQ(log.calls[i].block, i);
}

TEST(Chunks, ManyWorkersRunEachBlockOnce) {
  for (bool waits : {false, true}) {
    GangLog log;
    EXPECT_FALSE(runGangs({.grid = {50, 20, 10}, .block = {32}},
                          gangKernel(
                              [](GangContext *gang, const void *parameters, uint32_t, uint32_t,
                                 uint32_t, uint32_t lanes, uint32_t state) {
                                GangLog &log = GangLog::of(parameters);
                                const uint32_t *block = gang->block->block_index;
                                if (state == 0 && gang->resumed == nullptr)
                                  ++log.values[block[0] + 50 * block[1]];
                                ++log.count;
                              },
                              32, waits),
                          &log));
    EXPECT_EQ(log.count, 10000);
    for (uint32_t i = 0; i < 1000; ++i)
      EXPECT_EQ(log.values[i], 10u);
  }
}

// A later block may be running while an earlier one is not over, but a worker starts the blocks of
// one part of the grid in ascending order, and it goes to another part only when one is done.
TEST(Chunks, AreAscendingInEachPart) {
  struct Seen {
    std::mutex lock;
    std::map<std::thread::id, std::vector<uint32_t>> blocks;
  } seen;
  auto kernel = [](GangContext *gang, const void *parameters, uint32_t, uint32_t, uint32_t,
                   uint32_t, uint32_t) {
    auto &s = parametersAs<Seen>(parameters);
    std::lock_guard guard(s.lock);
    s.blocks[std::this_thread::get_id()].push_back(blockOf(gang));
  };
  EXPECT_FALSE(runGangs({.grid = {20000}, .block = {32}}, gangKernel(kernel, 32, false), &seen));
  size_t total = 0;
  for (const auto &[thread, blocks] : seen.blocks) {
    unsigned steps_back = 0;
    for (size_t i = 1; i < blocks.size(); ++i)
      steps_back += blocks[i] < blocks[i - 1];
    EXPECT_LT(steps_back, std::max(1u, std::thread::hardware_concurrency())); // at most the parts
    total += blocks.size();
  }
  EXPECT_EQ(total, 20000u);
}

// The OS threads that blocks ran on.
struct Threads {
  std::mutex lock;
  std::set<std::thread::id> ids;
  std::chrono::microseconds block_time{0};
};

void runSomewhere(GangContext *, const void *parameters, uint32_t, uint32_t, uint32_t, uint32_t,
                  uint32_t) {
  auto &threads = parametersAs<Threads>(parameters);
  {
    std::lock_guard guard(threads.lock);
    threads.ids.insert(std::this_thread::get_id());
  }
  if (threads.block_time.count())
    std::this_thread::sleep_for(threads.block_time);
}

// The first launch of a kernel may be large, for all one knows; the next is like it.
TEST(Chunks, SmallGridsStayWithTheCallingThread) {
  KernelHistory history;
  Threads threads;
  const KernelRun run = {.grid = {4}, .block = {32}, .history = &history};
  for (int launch = 0; launch < 20; ++launch) {
    threads.ids.clear();
    EXPECT_FALSE(runGangs(run, gangKernel(runSomewhere, 32, false), &threads));
  }
  EXPECT_NE(history.block_nanoseconds, KernelHistory::unknown);
  if (history.block_nanoseconds < 1000) { // it may be more if the machine is busy
    EXPECT_EQ(threads.ids, std::set{std::this_thread::get_id()});
  }
}

TEST(Chunks, LongBlocksAreShared) {
  if (std::thread::hardware_concurrency() == 1)
    GTEST_SKIP() << "there is one CPU";
  for (bool known : {false, true}) { // it was a small grid in the last launch
    KernelHistory history;
    if (known)
      history.block_nanoseconds = 1;
    Threads threads;
    threads.block_time = std::chrono::milliseconds(2);
    EXPECT_FALSE(runGangs({.grid = {100}, .block = {32}, .history = &history},
                          gangKernel(runSomewhere, 32, false), &threads));
    EXPECT_GT(threads.ids.size(), 1u);
    EXPECT_GE(history.block_nanoseconds, 2000000u);
  }
}

// The counter that all workers take from is touched once a chunk.
struct FakeCode : KernelCode {
  std::unique_ptr<ResidentBlock> makeBlock(Grid &) const override { return nullptr; }
  bool reuseBlock(ResidentBlock &, Grid &) const override { return false; }
  void abandonStacks() const override {}
};

class FakeProgram : public Program {
public:
  FakeProgram() { info_.kernels.emplace_back(); }
  const heddle::ImageInfo &info() const override { return info_; }
  int findKernel(std::string_view) const override { return 0; }
  void ensureCompiled(int, const Dim3 &, const Dim3 &) override {}
  void initGlobals(void *, ManagedPlace (*)(void *, const char *), void *) override {}

private:
  heddle::ImageInfo info_;
};

struct HandOut {
  FakeProgram program;
  FakeCode code;
  Launch launch;
  std::unique_ptr<Grid> grid;

  HandOut(uint32_t blocks, bool cooperative, uint64_t workers) {
    launch.program = &program;
    launch.grid = {blocks};
    launch.cooperative = cooperative;
    grid = std::make_unique<Grid>(launch, code);
    grid->worker_limit = workers;
  }
  // The sizes of the chunks that one worker gets, with blocks that take `block_time`.
  std::vector<uint64_t> sizes(std::chrono::microseconds block_time) {
    std::vector<uint64_t> result;
    Chunks chunks(*grid);
    uint64_t index = 0;
    for (uint64_t expected = 0;; ++expected) {
      const bool fresh = chunks.empty();
      if (!chunks.next(index))
        break;
      EXPECT_EQ(index, expected);
      fresh ? result.push_back(1) : void(++result.back());
      if (block_time.count())
        std::this_thread::sleep_for(block_time);
      chunks.ended();
    }
    EXPECT_EQ(grid->ended, grid->block_count);
    return result;
  }
};

TEST(Chunks, AreLargeForShortBlocksAndSmallAtTheEnd) {
  HandOut hand_out(100000, false, 4);
  hand_out.grid->expected_block_nanoseconds = KernelHistory::unknown;
  const std::vector<uint64_t> sizes = hand_out.sizes(std::chrono::microseconds(0));
  EXPECT_EQ(sizes.front(), 1u); // nothing is known yet
  EXPECT_EQ(sizes.back(), 1u);
  EXPECT_GT(*std::max_element(sizes.begin(), sizes.end()), 100u);
  for (size_t i = 1; i < sizes.size(); ++i)
    EXPECT_LE(sizes[i], std::max<uint64_t>(8 * sizes[i - 1], 1));
}

TEST(Chunks, AreSingleBlocksIfThoseAreLong) {
  HandOut hand_out(20, false, 2);
  hand_out.grid->expected_block_nanoseconds = KernelHistory::unknown;
  for (uint64_t size : hand_out.sizes(std::chrono::microseconds(200)))
    EXPECT_EQ(size, 1u);
}

TEST(Chunks, AreSingleBlocksIfThoseWaitForEachOther) {
  HandOut cooperative(50, true, 2);
  EXPECT_EQ(cooperative.sizes({}).size(), 50u);
  HandOut waiting(50, false, 2);
  waiting.grid->waits = true;
  EXPECT_EQ(waiting.sizes({}).size(), 50u);
}

std::vector<uint64_t> blocksOf(Chunks &chunks, size_t most = SIZE_MAX) {
  std::vector<uint64_t> result;
  for (uint64_t index = 0; result.size() < most && chunks.next(index);)
    result.push_back(index);
  return result;
}

TEST(Chunks, PartsAreOfTheSameSize) {
  HandOut hand_out(11, false, 4);
  hand_out.grid->divide(4);
  std::vector<uint64_t> sizes;
  uint64_t begin = 0;
  for (const Grid::Part &part : hand_out.grid->parts) {
    EXPECT_EQ(part.next, begin);
    sizes.push_back(part.left());
    begin = part.end;
  }
  EXPECT_EQ(sizes, (std::vector<uint64_t>{3, 3, 3, 2}));
  EXPECT_EQ(begin, 11u);
  EXPECT_EQ(hand_out.grid->left(), 11u);
}

// A worker begins with its own part, and goes on where most is left.
TEST(Chunks, WorkersHaveTheirParts) {
  HandOut hand_out(12, false, 3);
  hand_out.grid->divide(3);
  hand_out.grid->expected_block_nanoseconds = 1'000'000; // one at a time
  Chunks first(*hand_out.grid, 0), third(*hand_out.grid, 2), fourth(*hand_out.grid, 3);
  EXPECT_EQ(blocksOf(first, 1), (std::vector<uint64_t>{0}));
  EXPECT_EQ(blocksOf(third, 3), (std::vector<uint64_t>{8, 9, 10}));
  EXPECT_EQ(blocksOf(fourth, 1), (std::vector<uint64_t>{1})); // there are three parts
  EXPECT_EQ(blocksOf(third), (std::vector<uint64_t>{11, 4, 5, 6, 7, 2, 3}));
  EXPECT_EQ(third.taken(), 10u);
  EXPECT_EQ(blocksOf(first), (std::vector<uint64_t>{}));
  EXPECT_EQ(hand_out.grid->left(), 0u);
}

// Once blocks wait for each other, those before them come first; also before the rest of a chunk.
TEST(Chunks, WaitingBlocksAreHandedOutInOrder) {
  HandOut hand_out(12, false, 2);
  hand_out.grid->divide(2);
  hand_out.grid->expected_block_nanoseconds = 50000 / 3; // three at a time
  Chunks chunks(*hand_out.grid, 1);
  EXPECT_EQ(blocksOf(chunks, 1), (std::vector<uint64_t>{6}));
  EXPECT_EQ(chunks.more(), 2u);
  hand_out.grid->waits = true;
  EXPECT_EQ(chunks.peek(), 0u);
  EXPECT_EQ(blocksOf(chunks, 3), (std::vector<uint64_t>{0, 1, 2}));
  EXPECT_EQ(chunks.taken(), 4u);
  EXPECT_EQ(chunks.peek(), 3u);
  EXPECT_EQ(blocksOf(chunks), (std::vector<uint64_t>{3, 4, 5, 7, 8, 9, 10, 11}));
  EXPECT_EQ(chunks.taken(), 12u);
}

// A kernel whose blocks took long in the last launch is shared out from the start.
TEST(Chunks, HistoryIsAGuessAtWhatIsLeft) {
  HandOut hand_out(1000, false, 2);
  hand_out.grid->expected_block_nanoseconds = 300;
  Chunks chunks(*hand_out.grid);
  EXPECT_EQ(chunks.remainingNanoseconds(), 300000u);
  uint64_t index = 0;
  EXPECT_TRUE(chunks.next(index)); // 50 us of blocks, if there are enough
  EXPECT_EQ(hand_out.grid->left(), 1000 - 50000u / 300);
  EXPECT_EQ(chunks.remainingNanoseconds(), (1000 - 50000u / 300) * 300);
}

} // namespace

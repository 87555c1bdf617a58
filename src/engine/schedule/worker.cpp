// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/schedule/worker.h"

#include "engine/float_environment.h"
#include "engine/schedule/chunks.h"
#include "engine/schedule/cluster.h"
#include "engine/schedule/worker_count.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <new>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>
#include <thread>
#include <vector>

namespace heddle::engine {
namespace {

// Starting other workers costs the caller and each of them some microseconds.
constexpr uint64_t worth_helpers = 20000; // nanoseconds of work

// How often a block may progress only partly before others get a turn.
constexpr uint32_t patience = 64;

constexpr std::chrono::milliseconds replay_patience(200);

// Blocks left by launches on this OS thread, for reuse.
class SpareBlocks {
public:
  std::unique_ptr<ResidentBlock> take(Grid &grid) {
    if (grid.cluster_blocks > 1)
      return std::make_unique<Cluster>(grid);
    for (size_t i = spare_.size(); i-- > 0;)
      if (grid.code.reuseBlock(*spare_[i], grid)) {
        std::unique_ptr<ResidentBlock> block = std::move(spare_[i]);
        spare_.erase(spare_.begin() + ptrdiff_t(i));
        return block;
      }
    return grid.code.makeBlock(grid);
  }

  void give(std::unique_ptr<ResidentBlock> block) {
    if (block->grid().cluster_blocks > 1)
      return;
    if (spare_.size() == most)
      spare_.erase(spare_.begin());
    spare_.push_back(std::move(block));
  }

private:
  static constexpr size_t most = 32; // cooperative launches hold many at a time
  std::vector<std::unique_ptr<ResidentBlock>> spare_;
};

SpareBlocks &spareBlocks() {
  static thread_local SpareBlocks spare;
  return spare;
}

void helpAlong(Grid &grid);

// The workers besides the calling thread.
class Helpers {
public:
  explicit Helpers(Grid &grid) : grid_(grid) {}
  Helpers(const Helpers &) = delete;
  ~Helpers() {
    if (group_)
      group_->wait();
  }

  void callIfWorthwhile(const Chunks &chunks) {
    if (group_ || grid_.worker_limit <= 1 || chunks.remainingNanoseconds() < worth_helpers)
      return;
    grid_.shared = true;
    group_.emplace();
    group_->run([this] {
      tbb::parallel_for(
          uint64_t(1), grid_.worker_limit, [this](uint64_t) { helpAlong(grid_); },
          tbb::simple_partitioner());
    });
  }

private:
  Grid &grid_;
  std::optional<tbb::task_group> group_;
};

// Runs blocks of a grid on one OS thread.
class Worker {
public:
  /// `helpers` is null on those themselves.
  Worker(Grid &grid, Helpers *helpers)
      : grid_(grid), chunks_(grid, thisWorker()), helpers_(helpers) {}

  ~Worker() {
    if (cancelled()) // they may be in any state
      return;
    if (next_)
      spareBlocks().give(std::move(next_));
  }

  void run() {
    RawFault fault;
    if (!runProtected([](void *self) { static_cast<Worker *>(self)->loop(); }, this, fault)) {
      grid_.cancelled = true;
      grid_.code.abandonStacks();
      recordFault(fault);
    } else if (grid_.cancelled) {
      // Threads stopped by a fault elsewhere.
      grid_.code.abandonStacks();
    }
  }

  uint64_t blocksTaken() const { return chunks_.taken(); }

private:
  // Mostly the same in each launch, since TBB's threads keep their slots.
  static uint64_t thisWorker() {
    return uint64_t(std::max(0, tbb::this_task_arena::current_thread_index()));
  }

  void loop() {
    uint32_t stalls = 0;
    while (!cancelled()) {
      if (running_.empty() && !runToFirstWait()) {
        if (next_ && !cancelled())
          next_->endLaunch();
        return;
      }
      impatient_ = false;
      const bool progressed = runEach();
      if (progressed)
        stalls = 0;
      if (progressed && !impatient_)
        continue;
      // No block here can continue alone. Blocks on other workers, or unstarted ones, may help.
      chunks_.publishEnded();
      if (grid_.replay) {
        giveUpInTime();
        continue;
      }
      if (mayStartMore(++stalls) && startNext())
        stalls = 0;
      else if (stalls > 64)
        std::this_thread::sleep_for(std::chrono::microseconds(20));
      else
        std::this_thread::yield();
    }
  }

  // A replayed block has no others to wait for; but a long loop looks like waiting.
  void giveUpInTime() {
    const auto now = std::chrono::steady_clock::now();
    if (replay_end_ == std::chrono::steady_clock::time_point())
      replay_end_ = now + replay_patience;
    if (now > replay_end_)
      grid_.cancelled = true;
  }

  bool cancelled() const { return grid_.cancelled.load(std::memory_order_relaxed); }

  // A GPU starts blocks in order, so when `ended` blocks have ended it has started those below this
  // limit, wherever they run now.
  bool mayStartMore(uint32_t stalls) const {
    return (grid_.launch.cooperative || impatient_ || stalls > grid_.code.stalls_before_more) &&
           chunks_.peek() < grid_.ended.load(std::memory_order_relaxed) + grid_.resident_limit;
  }

  bool nextIndex(uint64_t &index) {
    if (helpers_ && chunks_.empty())
      helpers_->callIfWorthwhile(chunks_);
    return chunks_.next(index);
  }

  // The common case: one block after another in the same memory. False if none is left; true if one
  // cannot continue alone, which is then among the running ones.
  bool runToFirstWait() {
    uint64_t index;
    bool progressed = false;
    while (!cancelled() && nextIndex(index)) {
      if (!next_)
        next_ = spareBlocks().take(grid_);
      active_ = next_.get();
      active_->start(index);
      const uint64_t others = active_->lengthen(chunks_.more());
      chunks_.skip(others);
      if (stepWhileItProgresses(*active_, progressed) == BlockState::Ended) {
        chunks_.ended(1 + others);
        continue;
      }
      grid_.waits.store(true, std::memory_order_relaxed);
      running_.push_back(std::move(next_));
      return true;
    }
    return false;
  }

  bool startNext() {
    uint64_t index;
    if (!nextIndex(index))
      return false;
    running_.push_back(next_ ? std::move(next_) : spareBlocks().take(grid_));
    running_.back()->start(index);
    return true;
  }

  BlockState stepWhileItProgresses(ResidentBlock &block, bool &progressed) {
    BlockState state;
    for (uint32_t turns = 0;;) {
      state = block.step();
      if (state != BlockState::Progressed && state != BlockState::PartlySpinning)
        break;
      progressed = true;
      // A barrier or __syncwarp() in a loop that waits for another block looks like progress.
      impatient_ = state == BlockState::PartlySpinning && ++turns == patience;
      if (impatient_ || cancelled())
        return state;
    }
    if (state == BlockState::Deadlocked)
      raiseDeadlock(block.deadlockReason());
    if (state == BlockState::AtGridBarrier && grid_.barrier_broken)
      raiseDeadlock("blocks wait at grid.sync(), but others have ended without it");
    return state;
  }

  bool runEach() {
    bool progressed = false;
    for (size_t i = 0; i < running_.size();) {
      active_ = running_[i].get();
      if (stepWhileItProgresses(*active_, progressed) != BlockState::Ended) {
        ++i;
        continue;
      }
      progressed = true;
      chunks_.ended();
      if (next_) {
        next_->endLaunch();
        spareBlocks().give(std::move(next_));
      }
      next_ = std::move(running_[i]);
      running_.erase(running_.begin() + ptrdiff_t(i));
    }
    return progressed;
  }

  [[noreturn]] void raiseDeadlock(const char *reason) const {
    if (observe::observer)
      observe::observer->blocksStuck(grid_.launch);
    RawFault fault;
    fault.kind = FaultKind::Deadlock;
    fault.detail = reason;
    raiseFault(fault);
  }

  // What is accessed a little behind it was meant to be in it: no other memory is there.
  bool isBehindSharedMemory(const RawFault &raw) const {
    constexpr ptrdiff_t little = 1 << 20;
    const char *end = active_->dynamic_shared + active_->dynamic_shared_bytes;
    const ptrdiff_t distance = static_cast<const char *>(raw.address) - end;
    return raw.kind == FaultKind::IllegalAddress && raw.address && distance >= 0 &&
           distance < little;
  }

  void recordFault(const RawFault &raw) {
    std::lock_guard guard(grid_.fault_lock);
    if (grid_.fault) {
      delete raw.child;
      return;
    }
    const uint32_t *index = active_->block_index;
    Dim3 block = {index[0] % grid_.code.told_grid_x, index[1], index[2]};
    const uint64_t first = grid_.unitOf(block);
    Dim3 thread = active_->currentThread(); // of a wide block, if blocks are fused
    block.x += thread.x / grid_.launch.block.x;
    thread.x %= grid_.launch.block.x;
    grid_.fault = describeFault(raw, grid_.kernel, turned(block, grid_.lane_axis),
                                turned(thread, grid_.lane_axis));
    if (isBehindSharedMemory(raw))
      grid_.fault->message +=
          fmt::format("  this lies behind the block's shared memory: the launch gave {} bytes of "
                      "dynamic shared memory\n",
                      grid_.launch.dynamic_shared_bytes);
    grid_.fault->block = first;
    grid_.fault->blocks = grid_.fused_blocks;
    grid_.fault->one_of_many =
        raw.kind != FaultKind::Deadlock && raw.kind != FaultKind::Child && active_->ranTogether();
  }

  Grid &grid_;
  Chunks chunks_;
  Helpers *helpers_;
  bool impatient_ = false;              // a block has been partly spinning for long
  std::unique_ptr<ResidentBlock> next_; // idle
  std::vector<std::unique_ptr<ResidentBlock>> running_;
  ResidentBlock *active_ = nullptr;
  std::chrono::steady_clock::time_point replay_end_;
};

// Returns the number of blocks it has run.
uint64_t work(Grid &grid, Helpers *helpers) {
  // Here, since a fiber keeps the environment in which it was made ready, behind a fault, too.
  const DeviceFloatEnvironment environment;
  try {
    Worker worker(grid, helpers);
    worker.run();
    return worker.blocksTaken();
  } catch (const std::bad_alloc &) {
    grid.cancelled = true;
    grid.code.abandonStacks();
    std::lock_guard guard(grid.fault_lock);
    if (!grid.fault)
      grid.fault = Fault{2, "heddle: not enough host memory for the threads of kernel " +
                                grid.kernel.display_name + "\n"};
    return 0;
  }
}

void helpAlong(Grid &grid) {
  if (grid.left())
    work(grid, nullptr);
}

uint64_t nanosecondsSince(std::chrono::steady_clock::time_point start) {
  const auto elapsed = std::chrono::steady_clock::now() - start;
  return uint64_t(std::chrono::duration_cast<std::chrono::nanoseconds>(elapsed).count());
}

} // namespace

static std::atomic<uint64_t> grids{0}; // that have begun

Grid::Grid(const Launch &launch, const KernelCode &code, bool in_parts, const Dim3 &cluster)
    : number(++grids), launch(launch),
      kernel(launch.program->info().kernels[size_t(launch.kernel)]), code(code),
      static_shared_bytes(launch.program->info().shared_bytes), fused_blocks(code.fused_blocks),
      lane_axis(code.lane_axis), cluster(cluster), cluster_blocks(uint32_t(cluster.count())),
      block_count(launch.grid.count() / code.fused_blocks / cluster_blocks),
      resident_limit(std::max<uint64_t>(1, uint64_t(launch.device.multiprocessors) *
                                               std::max(1u, launch.device.max_resident_blocks) /
                                               cluster_blocks)),
      worker_limit(1), barrier_blocks(block_count * cluster_blocks) {
  if (block_count > 1)
    worker_limit =
        std::min<uint64_t>(block_count, uint64_t(tbb::this_task_arena::max_concurrency()));
  divide(in_parts ? worker_limit : 1);
}

void Grid::divide(uint64_t count) {
  if (count > 1)
    several_parts = std::vector<Part>(count);
  parts = count > 1 ? std::span(several_parts) : std::span(&only_part, 1);
  for (uint64_t i = 0; i < count; ++i) {
    parts[i].next = block_count / count * i + std::min(i, block_count % count);
    parts[i].end = block_count / count * (i + 1) + std::min(i + 1, block_count % count);
  }
}

uint64_t Grid::left() const {
  uint64_t result = 0;
  for (const Part &part : parts)
    result += part.left();
  return result;
}

static std::optional<Fault> runHere(const Launch &launch, const KernelCode &code,
                                    KernelHistory &history, const Dim3 &cluster) {
  const bool in_order = launch.cooperative || history.waits.load(std::memory_order_relaxed);
  const uint64_t expected = history.block_nanoseconds.load(std::memory_order_relaxed);
  const bool short_launch = !in_order && isShort(expected, launch.grid.count());
  const bool one_by_one = observe::observer && observe::observer->wantsOrder();
  Grid grid(launch, code, !in_order && !short_launch && !one_by_one, cluster);
  if (one_by_one)
    grid.worker_limit = 1;
  if (grid.worker_limit <= 1) {
    work(grid, nullptr);
    return std::move(grid.fault);
  }
  grid.expected_block_nanoseconds = expected;
  grid.short_launch = short_launch;
  grid.start = std::chrono::steady_clock::now();
  // Isolated: while waiting for its own blocks, this thread must not start another launch.
  tbb::this_task_arena::isolate([&] {
    Helpers helpers(grid);
    if (const uint64_t blocks = work(grid, &helpers))
      history.block_nanoseconds.store(nanosecondsSince(grid.start) / blocks,
                                      std::memory_order_relaxed);
  });
  if (grid.waits.load(std::memory_order_relaxed))
    history.waits.store(true, std::memory_order_relaxed);
  return std::move(grid.fault);
}

std::optional<Fault> runGrid(const Launch &launch, const KernelCode &code, KernelHistory &history,
                             const Dim3 &cluster) {
  return withChosenWorkers([&] { return runHere(launch, code, history, cluster); });
}

std::optional<Fault> replayBlock(const Launch &launch, const KernelCode &code, uint64_t index,
                                 const Dim3 &cluster) {
  class Silence : public PrintSink {
    void write(std::string_view) override {}
  } silence;
  Launch once = launch;
  once.device.print = &silence;
  Grid grid(once, code, false, cluster);
  grid.replay = true;
  grid.worker_limit = 1;
  grid.block_count = index + 1;
  grid.parts.front().next = index;
  grid.parts.front().end = index + 1;
  grid.barrier_blocks = grid.cluster_blocks; // the others count as arrived
  work(grid, nullptr);
  return std::move(grid.fault);
}

} // namespace heddle::engine

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/reference/worker.h"

#include "engine/reference/block.h"

#include <algorithm>
#include <chrono>
#include <new>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#include <thread>

namespace heddle::engine::reference {
namespace {

constexpr uint64_t base_stack_bytes = 64 << 10;
constexpr uint64_t recursive_stack_bytes = 256 << 10;
// x86-64 frames are larger than a GPU's, whose locals live in registers.
constexpr uint64_t frame_factor = 2, recursive_frame_factor = 8;

// Runs blocks of a grid on one OS thread. As a rule one block at a time, from start to end; when a
// block cannot go on without another one, further blocks are started beside it, up to what the GPU
// would hold.
class Worker {
public:
  Worker(Grid &grid, FiberPool &fibers) : grid_(grid), fibers_(fibers) {}

  void run() {
    RawFault fault;
    if (!runProtected([](void *self) { static_cast<Worker *>(self)->loop(); }, this, fault)) {
      leaveFiber();
      recordFault(fault);
    }
    // Threads that a fault here or elsewhere, or a lack of memory, has stopped.
    if (grid_.cancelled)
      fibers_.abandonAll();
  }

private:
  void loop() {
    uint32_t stalls = 0;
    while (!grid_.cancelled.load(std::memory_order_relaxed)) {
      if (running_.empty() && !startNext())
        return;
      if (runEach()) {
        stalls = 0;
        continue;
      }
      // Nobody here can go on alone. Blocks on other workers may help; or ones not started yet.
      if (mayStartMore(++stalls) && startNext())
        stalls = 0;
      else if (stalls > 64)
        std::this_thread::sleep_for(std::chrono::microseconds(20));
      else
        std::this_thread::yield();
    }
  }

  bool mayStartMore(uint32_t stalls) const {
    return (grid_.launch.cooperative || stalls > 8) &&
           grid_.resident.load(std::memory_order_relaxed) < grid_.resident_limit;
  }

  bool startNext() {
    const uint64_t index = grid_.next_block.fetch_add(1, std::memory_order_relaxed);
    if (index >= grid_.block_count)
      return false;
    if (spare_.empty())
      spare_.push_back(std::make_unique<Block>(grid_, fibers_));
    running_.push_back(std::move(spare_.back()));
    spare_.pop_back();
    running_.back()->start(index);
    grid_.resident.fetch_add(1, std::memory_order_relaxed);
    return true;
  }

  bool runEach() {
    bool progressed = false;
    for (size_t i = 0; i < running_.size();) {
      Block &block = *(active_ = running_[i].get());
      BlockState state;
      do
        state = block.step();
      while (state == BlockState::Progressed && !grid_.cancelled.load(std::memory_order_relaxed) &&
             (progressed = true));
      if (state == BlockState::Deadlocked)
        raiseDeadlock(block.deadlockReason());
      if (state == BlockState::AtGridBarrier && grid_.barrier_broken)
        raiseDeadlock("blocks wait at grid.sync(), but others have ended without it");
      if (state != BlockState::Ended) {
        ++i;
        continue;
      }
      progressed = true;
      grid_.resident.fetch_sub(1, std::memory_order_relaxed);
      spare_.push_back(std::move(running_[i]));
      running_.erase(running_.begin() + ptrdiff_t(i));
    }
    return progressed;
  }

  [[noreturn]] static void raiseDeadlock(const char *reason) {
    RawFault fault;
    fault.kind = FaultKind::Deadlock;
    fault.detail = reason;
    raiseFault(fault);
  }

  void recordFault(const RawFault &raw) {
    grid_.cancelled = true;
    std::lock_guard guard(grid_.fault_lock);
    if (grid_.fault)
      return;
    const Thread &thread = active_->current();
    const uint32_t *block = active_->block_index, *index = thread.thread_index;
    grid_.fault = describeFault(raw, grid_.kernel, {block[0], block[1], block[2]},
                                {index[0], index[1], index[2]});
  }

  Grid &grid_;
  FiberPool &fibers_;
  std::vector<std::unique_ptr<Block>> running_, spare_;
  Block *active_ = nullptr;
};

uint64_t stackBytes(const Launch &launch, const KernelEntryInfo &code) {
  uint64_t bytes = base_stack_bytes + frame_factor * code.stack_bytes;
  if (code.recursive)
    bytes += std::max(recursive_stack_bytes, recursive_frame_factor * launch.device.stack_bytes);
  return bytes;
}

} // namespace

std::optional<Fault> runGrid(const Launch &launch, const KernelEntryInfo &code) {
  const ImageInfo &image = launch.program->info();
  Grid grid(launch, image.kernels[size_t(launch.kernel)], code);
  grid.static_shared_bytes = image.shared_bytes;
  grid.stack_bytes = stackBytes(launch, code);
  grid.resident_limit =
      uint64_t(launch.device.multiprocessors) * std::max(1u, launch.device.max_resident_blocks);
  auto work = [&grid] {
    // Fibers are worth keeping from one launch to the next: their stacks are mapped and warm.
    static thread_local FiberPool fibers(&Block::fiberMain);
    try {
      Worker(grid, fibers).run();
    } catch (const std::bad_alloc &) {
      grid.cancelled = true;
      fibers.abandonAll();
      std::lock_guard guard(grid.fault_lock);
      if (!grid.fault)
        grid.fault = Fault{2, "heddle: not enough host memory for the threads of kernel " +
                                  grid.kernel.display_name + "\n"};
    }
  };
  const uint64_t workers =
      std::min<uint64_t>(grid.block_count, uint64_t(tbb::this_task_arena::max_concurrency()));
  if (workers <= 1)
    work();
  else // Isolated: while waiting for its own blocks, this thread must not pick up another launch.
    tbb::this_task_arena::isolate([&] {
      tbb::parallel_for(uint64_t(0), workers, [&](uint64_t) { work(); }, tbb::simple_partitioner());
    });
  return std::move(grid.fault);
}

} // namespace heddle::engine::reference

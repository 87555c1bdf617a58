// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A block that a worker holds: what every engine's blocks have in common.
//
// An engine derives from it a block that knows how its threads run; the worker only starts it and
// lets it go on. Blocks are kept from launch to launch, so that the usual launch allocates nothing.
#pragma once

#include "engine/abi_extensions.h"
#include "engine/schedule/grid.h"
#include "engine/schedule/shared_memory.h"

#include <memory>

namespace heddle::engine {

inline constexpr int64_t spin_quantum = 256;  // ThreadContext::spin_budget at the start of a turn
inline constexpr uint32_t barrier_count = 16; // PTX ISA, "bar.sync"

/// How a block stands after a step: what it waits for, if it did not get on. Where threads got on
/// but have spun as well (PartlySpinning), it is unknown whether that leads anywhere.
enum class BlockState { Ended, Progressed, PartlySpinning, Spinning, AtGridBarrier, Deadlocked };

/// A block barrier (__syncthreads, bar.sync, bar.arrive, bar.red).
struct Barrier {
  uint32_t arrived = 0;  // waiting here, plus arrivals that did not wait
  uint32_t expected = 0; // 0: all live threads of the block
  uint32_t true_count = 0, waiting = 0;
  BarrierReduction reduction = BarrierReduction::None;

  bool complete(uint32_t live) const { return arrived >= (expected ? expected : live); }
  /// What __syncthreads_count, _and and _or return.
  uint32_t result() const;
};

class ResidentBlock : public ExtendedBlockContext {
public:
  explicit ResidentBlock(Grid &grid);
  virtual ~ResidentBlock() = default;
  ResidentBlock(const ResidentBlock &) = delete;

  /// Whether it can run blocks of this grid; the engine's own needs are not looked at.
  bool fits(const Grid &grid) const;
  /// From now on it runs blocks of this grid, which it fits.
  void attach(Grid &grid);

  /// Makes this the block with that linear index, no thread started.
  virtual void start(uint64_t index) = 0;
  /// Takes up to `more` of the blocks that follow into a started block, to be run with it as one;
  /// returns how many. block_index is that of the one that is running.
  virtual uint64_t lengthen(uint64_t /*more*/) { return 0; }
  /// Runs every thread as far as it gets once.
  virtual BlockState step() = 0;
  /// The worker has no more of the launch's blocks for it, all of which have ended.
  virtual void endLaunch() {}
  /// How many threads have not ended yet.
  virtual uint32_t liveThreads() const = 0;
  /// A sentence about who waits for whom, for the deadlock message.
  virtual const char *deadlockReason() const = 0;
  /// The threadIdx of the thread that is running, or ran last.
  virtual Dim3 currentThread() const = 0;
  /// Whether other threads ran together with that one, so that a fault may be theirs.
  virtual bool ranTogether() const { return false; }
  /// bar.arrive: counts one thread that does not wait.
  virtual void arriveAtBarrier(uint32_t id, uint32_t count) = 0;

  const Grid &grid() const { return *current_grid; }
  /// The thread by its place in the program's launch, whatever runs side by side.
  CallingThread callingThread(const ThreadContext &thread) const;
  /// A fault is about this thread, even if it runs together with others.
  void blame(const ThreadContext *thread) { blamed_thread = thread; }

protected:
  void place(uint64_t index) {
    grid_arrived_ = false;
    blamed_thread = nullptr;
    const Dim3 position = current_grid->blockIndex(index);
    block_index[0] = position.x;
    block_index[1] = position.y;
    block_index[2] = position.z;
  }
  /// grid.sync(), when all live threads wait there: the block arrives, and may go on when all
  /// blocks have. True if it may.
  bool passGridBarrier();
  /// The block has ended and will never come to the grid barrier.
  void endAtGridBarrier() {
    if (current_grid->launch.cooperative)
      current_grid->arrive(true);
  }
  static const char *deadlockWords(bool at_barrier, bool at_collective, bool at_grid);

  Grid *current_grid;
  /// What a step was that got on: it may have been in vain if a lane has spun.
  BlockState gotOn() const {
    return has_yielded ? BlockState::PartlySpinning : BlockState::Progressed;
  }
  const ThreadContext *blamed_thread = nullptr;
  bool has_yielded = false; // a thread has given way in this step because it spins

private:
  SharedMemory shared_memory_;
  uint32_t shared_bytes_;
  uint64_t grid_generation_ = 0;
  bool grid_arrived_ = false;
};

/// A kernel as one engine runs it.
class KernelCode {
public:
  virtual ~KernelCode() = default;
  /// A block for this kernel; throws std::bad_alloc.
  virtual std::unique_ptr<ResidentBlock> makeBlock(Grid &grid) const = 0;
  /// Lets a block that an earlier launch has left serve this one; false if it does not fit.
  virtual bool reuseBlock(ResidentBlock &block, Grid &grid) const = 0;
  /// After a fault: nothing on this OS thread's fibers will go on.
  virtual void abandonStacks() const = 0;

  // How often all blocks of a worker must have spun in vain before it starts another one beside
  // them.
  uint32_t stalls_before_more = 8;
  uint32_t told_grid_x = ~0u; // in messages, blockIdx.x is modulo this (grid_stride_expansion.h)
  bool streams = false;       // may store past the caches
  uint32_t fused_blocks = 1;  // so many, side by side along x, are run as one (block_shape_class.h)
};

} // namespace heddle::engine

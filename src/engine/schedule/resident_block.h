// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A block that a worker holds: the common part of all engines' blocks.
//
// An engine derives its block class, which runs the threads; the worker only starts and resumes it.
// Blocks are kept between launches, so that a typical launch allocates nothing.
#pragma once

#include "engine/abi_extensions.h"
#include "engine/observe/extents.h"
#include "engine/observe/observer.h"
#include "engine/schedule/grid.h"
#include "engine/schedule/shared_memory.h"

#include <memory>

namespace heddle::engine {

inline constexpr int64_t spin_quantum = 256;  // ThreadContext::spin_budget at the start of a turn
inline constexpr uint32_t barrier_count = 16; // PTX ISA, "bar.sync"

/// The state of a block after a step: what it waits for, if no thread progressed. If threads
/// progressed but also spun (PartlySpinning), it is unknown whether that is real progress.
enum class BlockState { Ended, Progressed, PartlySpinning, Spinning, AtGridBarrier, Deadlocked };

/// A block barrier (__syncthreads, bar.sync, bar.arrive, bar.red).
struct Barrier {
  uint32_t arrived = 0;  // waiting here, plus arrivals that did not wait
  uint32_t expected = 0; // 0: all live threads of the block
  uint32_t true_count = 0, waiting = 0;
  BarrierReduction reduction = BarrierReduction::None;

  bool complete(uint32_t live) const { return arrived >= (expected ? expected : live); }
  /// The result of __syncthreads_count, _and and _or.
  uint32_t result() const;
};

class ResidentBlock : public ExtendedBlockContext {
public:
  explicit ResidentBlock(Grid &grid);
  virtual ~ResidentBlock() = default;
  ResidentBlock(const ResidentBlock &) = delete;

  /// Whether it can run blocks of this grid; the engine's own requirements are not considered.
  bool fits(const Grid &grid) const;
  /// Prepares it for blocks of this grid, which it must fit.
  void attach(Grid &grid);

  /// Makes this the block with that linear index, with no thread started.
  virtual void start(uint64_t index) = 0;
  /// Adds up to `more` of the following blocks to a started block, to run as one strip; returns how
  /// many. block_index stays that of the running one.
  virtual uint64_t lengthen(uint64_t /*more*/) { return 0; }
  /// Runs every thread once, as far as it can go.
  virtual BlockState step() = 0;
  /// Called when all of this worker's blocks of the launch have ended.
  virtual void endLaunch() {}
  /// How many threads have not ended yet.
  virtual uint32_t liveThreads() const = 0;
  /// A sentence that says which threads wait for what, for the deadlock message.
  virtual const char *deadlockReason() const = 0;
  /// The threadIdx of the thread that is running, or ran last.
  virtual Dim3 currentThread() const = 0;
  /// Whether other threads ran together with that one, so that a fault may be theirs.
  virtual bool ranTogether() const { return false; }
  /// bar.arrive: counts one thread that does not wait.
  virtual void arriveAtBarrier(uint32_t id, uint32_t count) = 0;

  /// Of an observer of uninitialised reads (observe/observer.h); else null.
  uint64_t *sharedWritten() const { return shared_written_.get(); }

  const Grid &grid() const { return *current_grid; }
  /// The thread by its position in the program's launch, before fusion or expansion.
  CallingThread callingThread(const ThreadContext &thread) const;
  /// Attributes a fault to this thread, even if it runs together with others.
  void blame(const ThreadContext *thread) { blamed_thread = thread; }

protected:
  void place(uint64_t index) {
    grid_arrived_ = false;
    blamed_thread = nullptr;
    const Dim3 position = current_grid->blockIndex(index);
    block_index[0] = position.x;
    block_index[1] = position.y;
    block_index[2] = position.z;
    if (observe::observer)
      tellBegin();
  }
  /// grid.sync(), when all live threads wait there: the block arrives. Returns true if all blocks
  /// have arrived, so that it may continue.
  bool passGridBarrier();
  /// The block has ended and will never reach the grid barrier.
  void endAtGridBarrier() {
    if (current_grid->launch.cooperative)
      current_grid->arrive(true);
  }
  static const char *deadlockWords(bool at_barrier, bool at_collective, bool at_grid);

  Grid *current_grid;
  /// The state after a step with progress, which may be futile if a lane has spun.
  BlockState gotOn() const {
    return has_yielded ? BlockState::PartlySpinning : BlockState::Progressed;
  }
  const ThreadContext *blamed_thread = nullptr;
  bool has_yielded = false; // a spinning thread has yielded in this step

private:
  void tellBegin();

  std::unique_ptr<observe::ExtentSlot[]> slots_; // while an observer wants them
  uint64_t memory_changes_ = ~uint64_t(0);       // when they were empty
  std::unique_ptr<uint64_t[]> shared_written_;   // likewise
  SharedMemory shared_memory_;
  uint32_t shared_bytes_;
  uint64_t grid_generation_ = 0;
  bool grid_arrived_ = false;
};

/// A kernel's code, as one engine runs it.
class KernelCode {
public:
  virtual ~KernelCode() = default;
  /// A block for this kernel; throws std::bad_alloc.
  virtual std::unique_ptr<ResidentBlock> makeBlock(Grid &grid) const = 0;
  /// Prepares a block left by an earlier launch for this one; false if it does not fit.
  virtual bool reuseBlock(ResidentBlock &block, Grid &grid) const = 0;
  /// After a fault: no fiber of this OS thread will continue.
  virtual void abandonStacks() const = 0;

  // How often all blocks of a worker must have spun without progress before it starts another
  // block.
  uint32_t stalls_before_more = 8;
  uint32_t told_grid_x = ~0u; // in messages, blockIdx.x is modulo this (grid_stride_expansion.h)
  bool streams = false;       // may use non-temporal stores
  uint32_t fused_blocks = 1;  // neighbours along x that run as one (block_shape_class.h)
  bool padded_rows = false;   // of a block: gangs are pieces of them (padded_rows.h)
  unsigned lane_axis = 0;     // has changed places with x (lane_axis.h)
};

} // namespace heddle::engine

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One block of threads, and the order in which they run.
//
// A warp's lanes run one after another, each until it ends or must wait: at a block barrier; at a
// warp operation for the other lanes of its mask; at an operation that depends on which lanes are
// converged (__activemask, printf); at a grid barrier; or after it has spun for a while and yields
// (CUDA guide, "Independent Thread Scheduling"). Then the next lane runs, then the next warp. A
// block in which no lane can continue is a deadlock.
#pragma once

#include "engine/schedule/fiber.h"
#include "engine/schedule/resident_block.h"
#include "engine/warp.h"

#include <array>
#include <memory>
#include <vector>

namespace heddle::engine::reference {

struct Thread : ThreadContext {
  Fiber *fiber = nullptr;
  uint32_t site = 0;    // where it waits for convergence
  uint32_t barrier = 0; // which barrier it waits at
  int64_t rounds = 0;   // of a waiting loop before it yields; decreases over time
};

/// The lanes of a warp by what they are doing; every live lane is in exactly one mask.
struct Warp {
  uint32_t first_thread = 0;
  uint32_t lanes = 0; // that exist: the last warp of a block may be partial
  uint32_t unstarted = 0, ready = 0, running = 0, spinning = 0;
  uint32_t at_collective = 0, at_convergence = 0, at_barrier = 0, at_grid = 0;
  std::array<WarpRequest, warp_size> requests;
  uint32_t live() const {
    return unstarted | ready | running | spinning | at_collective | at_convergence | at_barrier |
           at_grid;
  }
};

class Block final : public ResidentBlock {
public:
  explicit Block(Grid &grid);
  /// For another launch; false if the block does not fit it.
  bool reuse(Grid &grid);

  void start(uint64_t index) override;
  BlockState step() override;
  uint32_t liveThreads() const override { return live_; }
  const char *deadlockReason() const override;
  Dim3 currentThread() const override;

  // Called on a thread's fiber, from the runtime table.
  uint32_t waitAtBarrier(Thread &thread, uint32_t id, uint32_t count, BarrierReduction reduction,
                         bool predicate);
  void arriveAtBarrier(uint32_t id, uint32_t count) override;
  ValueAndPredicate waitForWarp(Thread &thread, const WarpRequest &request);
  /// The lanes that execute the call at `site` together with this one.
  uint32_t converge(Thread &thread, uint32_t site);
  void waitForGrid(Thread &thread);
  void yield(Thread &thread);
  [[noreturn]] void endThread(Thread &thread);

  static FiberPool &fibersOfThisWorker();

private:
  static void fiberMain(void *block);
  void runThreads(Fiber *fiber);
  void resume(Warp &warp, uint32_t lane);
  void resumeAll(Warp &warp, uint32_t lanes);
  bool runWarp(Warp &warp);
  void resolveConvergence(Warp &warp, bool last_first);
  void completeCollectives(Warp &warp);
  void completeBarrier(uint32_t id);
  void threadEnded(Thread &thread);
  bool openGridBarrier();
  void useCode();
  void beginWait(Thread &thread, uint32_t Warp::*where);
  Warp &warpOf(const Thread &thread) { return warps_[thread.linear_index / warp_size]; }

  const KernelEntryInfo *code_ = nullptr;
  uint64_t stack_bytes_ = 0; // of each thread's fiber
  FiberPool &fibers_;
  std::vector<Thread> threads_;
  std::vector<Warp> warps_;
  std::array<Barrier, barrier_count> barriers_;
  uint32_t live_ = 0, at_grid_ = 0;
  bool all_go_on_ = false; // a barrier of all threads has just opened
  Thread *current_ = nullptr;
};

} // namespace heddle::engine::reference

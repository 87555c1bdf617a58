// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One block of gangs, and the order in which they run.
//
// A kernel without suspend points is a loop over the block's gangs. One that suspends only at
// __syncthreads(), with all lanes of each gang converged, is swept: gang after gang up to the
// barrier, then again from there. If lanes of a gang have diverged, or wait for something else,
// groups of lanes are scheduled one by one by the rules that the reference engine uses for threads.
#pragma once

#include "engine/schedule/fiber.h"
#include "engine/schedule/resident_block.h"
#include "engine/simd/gang.h"
#include "engine/simd/launch/kept_counts.h"

#include <array>
#include <cstdlib>
#include <vector>

namespace heddle::engine::simd {

class Block final : public ResidentBlock {
public:
  explicit Block(Grid &grid);
  /// For another launch; false if the block does not fit it.
  bool reuse(Grid &grid);

  void start(uint64_t index) override;
  uint64_t lengthen(uint64_t more) override;
  BlockState step() override;
  void endLaunch() override { counted_.putBack(); }
  uint32_t liveThreads() const override { return live_; }
  const char *deadlockReason() const override;
  Dim3 currentThread() const override;
  bool ranTogether() const override;
  void arriveAtBarrier(uint32_t id, uint32_t count) override;

  /// Whether the address is in a gang's frame or on the gangs' stack.
  bool isLocal(const void *address) const;

  static FiberPool &fibersOfThisWorker();

private:
  struct Place { // of a gang in the block
    uint32_t x, y, z, lanes;
    uint32_t first; // thread, by its number in the block
  };
  struct Free {
    void operator()(char *memory) const { std::free(memory); }
  };
  using Memory = std::unique_ptr<char, Free>;

  static Memory allocate(size_t bytes);
  static void fiberMain(void *block);
  void makeGangs();
  void useCode();
  void useStack(Fiber *fiber);

  BlockState run();
  BlockState runAlone();
  BlockState runSwept();
  void runStraight();
  BlockState sweep();
  bool sweepOnce();
  bool canSweep() const;
  BlockState runGroups();
  bool runGang(Gang &gang);
  bool runReady(Gang &gang);
  void runGroup(Gang &gang, uint32_t candidates);
  void call(Gang &gang, const GroupRecord *resumed, uint32_t lanes, uint32_t state);
  const GroupRecord &keep(Gang &gang, GroupRecord &written);
  void settle(Gang &gang, uint32_t lanes);
  uint32_t threadsIn(uint32_t lanes) const;
  void arrive(Gang &gang, const GroupRecord &record);
  void lanesEnded(Gang &gang, uint32_t lanes);
  void completeCollectives(Gang &gang);
  void completeBarrier(uint32_t id);
  void openGridBarrier();

  SimdKernelInfo info_ = {};  // a copy: blocks outlive launches
  std::vector<Place> places_; // one for each gang
  std::vector<Gang> gangs_;   // one for each gang; a single one without suspend points
  std::vector<ThreadContext> lanes_;
  std::vector<WarpRequest> requests_;
  CountTables counted_;
  Memory frames_, slots_, written_, resumed_; // the last two: records of the running group
  size_t frame_stride_ = 0;

  std::array<Barrier, barrier_count> barriers_;
  uint32_t barriers_in_use_ = 0; // bit mask
  bool fresh_ = true;            // no gang has started
  bool all_released_ = false;    // all live lanes can continue from one barrier
  uint32_t live_ = 0, at_grid_ = 0;
  uint32_t following_ = 0;     // neighbours in the strip, to be run after it
  const Gang *gang_ = nullptr; // running, or ran last
  uint32_t active_ = 0;        // its running lanes
  bool swept_before_ = false;  // and gangs_ is as the last block's sweep left it
  bool sweeping_ = false;      // BlockContext::running is the running gang
  bool on_fiber_ = false;
  bool padded_rows_ = false; // KernelCode::padded_rows
  Fiber *fiber_ = nullptr;
  uint64_t stack_bytes_ = 0;
};

} // namespace heddle::engine::simd

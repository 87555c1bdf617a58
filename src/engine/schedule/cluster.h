// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The blocks of a thread block cluster (CUDA C++ Programming Guide, "Thread Block Clusters").
//
// One worker holds all of them, so that they can access each other's shared memory and wait for
// each other. To the worker they are one block, each step of which is a step of every block.
// Threads at the cluster's barrier spin; it opens here when all remaining threads have arrived.
#pragma once

#include "engine/schedule/resident_block.h"

#include <vector>

namespace heddle::engine {

class Cluster : public ResidentBlock {
public:
  explicit Cluster(Grid &grid);

  void start(uint64_t index) override;
  BlockState step() override;
  uint32_t liveThreads() const override;
  const char *deadlockReason() const override { return running().deadlockReason(); }
  Dim3 currentThread() const override { return running().currentThread(); }
  bool ranTogether() const override { return running().ranTogether(); }
  void arriveAtBarrier(uint32_t id, uint32_t count) override {
    running().arriveAtBarrier(id, count);
  }

private:
  struct Member {
    std::unique_ptr<ResidentBlock> block;
    ClusterContext view;
    std::vector<uint32_t> arrivals;
    bool ended = false;
  };

  ResidentBlock &running() const { return *members_[running_].block; }
  bool openBarrier();

  std::vector<Member> members_;
  size_t running_ = 0;
  uint32_t arrived_ = 0, generation_ = 0;
};

} // namespace heddle::engine

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One launch of an executable graph as its kernels see it, and the graphs that they launch (CUDA
// guide, "Device Graph Launch").
//
// What a kernel fires and forgets runs where it is launched, as child grids do
// (kernel_calls/grid_calls.h): that is one of the orders that CUDA allows, and when the launch
// returns, nothing is left that its graph would have to wait for. So it is with siblings. What is
// launched into the tail runs when all of the graph has ended.
#pragma once

#include "device/graph/plan.h"

#include <mutex>

namespace heddle {

class Executable;

/// Thread-safe, but for execute and finish.
class GraphRun {
public:
  /// `parent` is null where the host launches.
  GraphRun(std::shared_ptr<Executable> executable, const Origin &origin, GraphRun *parent = nullptr)
      : executable(std::move(executable)), origin(origin), parent(parent) {}

  /// The run whose operations this thread runs; null outside of graphs.
  static GraphRun *current();

  /// Before the first step.
  void begin();
  /// Runs steps as parts of this run.
  void execute(const PlanSteps &steps);
  /// All steps have ended: runs what has been launched into the tail.
  void finish();

  /// A kernel of this run calls cudaGraphLaunch.
  cudaError_t launch(const void *handle, unsigned long long stream);
  /// What cudaGetCurrentGraphExec gives: null unless the graph is one that kernels may launch.
  const Executable *launchable() const;

private:
  struct Tail {
    std::shared_ptr<Executable> executable;
    std::shared_ptr<const Plan> plan;
  };
  const std::shared_ptr<Executable> executable;
  const Origin origin; // the host's launch
  GraphRun *const parent;
  std::mutex mutex; // guards what follows
  std::vector<Tail> tails;
  unsigned fired = 0;

  cudaError_t launchIntoTail(Tail next);
  cudaError_t fire(const Tail &next, GraphRun *new_parent);
};

} // namespace heddle

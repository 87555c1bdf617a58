// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Answers what the threads of one grid ask of their device: launches of other grids, and CUDA's
// device runtime API (CUDA C++ Programming Guide, "Dynamic Parallelism").
//
// A child grid runs where it is launched: on the worker whose thread launches it, with others'
// help if it is large, and it has ended when the launch returns. That is one of the orders that
// CUDA allows: grids of one stream run one after the other, no grid ends before its children, and a
// thread that waits for its children (as in CUDA before 12) has waited. Only the tail stream is
// different: what is launched into it runs when the grid and all its children have ended.
#pragma once

#include "__heddle/device_calls.h"
#include "device/launch.h"
#include "engine/observe/observer.h"

#include <memory>
#include <mutex>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace heddle {

class GraphRun;

/// Runs a grid of this depth (0: launched by the host), its children, and what is launched into
/// their tails, to the end.
/// `graph` is the run of a graph that it is part of, if it is; `parent` the number of the launch
/// (engine::Launch) that has launched it.
std::optional<engine::Fault> runWithChildren(const KernelOperation &grid, unsigned depth,
                                             GraphRun *graph = nullptr, uint64_t parent = 0);

/// What the API knows and kernels may ask: fills in the record of such a call. Set once, before any
/// launch.
using AnswerQuery = cudaError_t (*)(Device &device, Module &module, unsigned function,
                                    unsigned long long *values);
extern AnswerQuery answer_query;

class GridCalls final : public engine::DeviceCalls {
public:
  using Child = std::shared_ptr<KernelOperation>;

  GridCalls(const KernelOperation &self, unsigned depth, GraphRun *graph)
      : device(self.device), self(self), depth(depth), graph(graph) {}

  uint32_t call(const engine::CallingThread &caller, uint32_t function, void *arguments,
                std::optional<engine::Fault> &fault) override;
  /// Of the grid as a launch.
  const uint64_t launch_number = newNumber();
  /// What has been launched into the grid's tail, in order.
  std::vector<Child> takeTail() { return std::move(tail); }

private:
  static uint64_t newNumber() {
    static std::atomic<uint64_t> newest = 0;
    return ++newest;
  }
  using Values = unsigned long long *;
  struct Buffer { // of cudaGetParameterBuffer
    __heddle::LaunchCall launch;
    std::unique_ptr<std::byte[]> parameters;
    engine::observe::Lent lent{}; // these
  };

  cudaError_t answer(const engine::CallingThread &caller, uint32_t function, void *arguments,
                     std::optional<engine::Fault> &fault);
  cudaError_t launch(const __heddle::LaunchCall &request, bool replayed,
                     std::optional<engine::Fault> &fault);
  cudaError_t launchBuffer(__heddle::LaunchCall &request, bool replayed,
                           std::optional<engine::Fault> &fault);
  cudaError_t makeBuffer(const __heddle::LaunchCall &request, Values values);
  cudaError_t prepare(const __heddle::LaunchCall &request, Child &child);
  cudaError_t create(std::unordered_set<unsigned long long> &handles, Values values);
  cudaError_t checkStream(unsigned long long stream, bool may_be_special = true);
  cudaError_t useEvent(unsigned long long event, unsigned long long stream);
  cudaError_t destroy(std::unordered_set<unsigned long long> &handles, unsigned long long handle);

  uint64_t threadNumber(const engine::CallingThread &caller) const {
    return caller.block * self.launch.block.count() + caller.thread;
  }
  void remember(const engine::CallingThread &caller, cudaError_t error);
  cudaError_t lastError(const engine::CallingThread &caller, bool forget);

  Device &device;
  const KernelOperation &self;
  const unsigned depth;
  GraphRun *const graph;
  std::atomic<bool> has_errors = false;
  std::mutex mutex;                                 // guards what follows
  std::unordered_map<uint64_t, cudaError_t> errors; // by thread; none that has none
  std::unordered_set<unsigned long long> streams, events;
  std::unordered_map<unsigned long long, Buffer> buffers; // by address
  std::vector<Child> tail;
};

} // namespace heddle

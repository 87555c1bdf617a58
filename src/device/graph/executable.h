// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An executable graph: a graph made ready to be launched again and again.
//
// It has a copy of the graph, in an order found once. A launch puts the plan, which is the list of
// operations in that order, on a stream as one piece of work, or as several where the graph records
// events or waits for them. Plans do not change: launches under way keep theirs when the executable
// is updated.
#pragma once

#include "device/graph/graph.h"
#include "device/graph/memory.h"
#include "device/graph/operations.h"

#include <atomic>

namespace heddle {

struct Plan;

/// What launches by kernels (run.h) know of an executable.
struct DeviceLaunching {
  std::atomic<std::shared_ptr<const Plan>> uploaded; // null: they cannot launch it
  std::atomic<int> running = 0;
  std::atomic<bool> in_tail = false; // of a graph that runs
};

/// What a cudaGraphExec_t points to. Thread-safe.
class Executable : public std::enable_shared_from_this<Executable> {
public:
  static Handles<Executable> &handles();

  /// Why a graph cannot be instantiated, and its node that is to blame, if one is.
  struct Problem {
    cudaError_t error = cudaSuccess;
    cudaGraphInstantiateResult result = cudaGraphInstantiateSuccess;
    const Node *node = nullptr;
    std::string sentence;
  };
  /// Null if there is a problem.
  static std::shared_ptr<Executable> create(Device &device, Graph &graph, unsigned long long flags,
                                            Problem &problem);
  ~Executable();

  /// Puts a run on the stream. Runs of one executable follow each other, whatever their streams.
  cudaError_t launch(DeviceStream &stream);

  /// Takes the memory that a launch in this stream will need.
  cudaError_t upload(DeviceStream &stream);

  /// Its own copy of a node of the graph that it was made of; null if there is none.
  Node *find(const Node &node) const { return graph->findCopyOf(node); }
  /// Gives one of its nodes another operation of the same type, for launches from now on.
  void replace(Node &own, OperationPointer operation);
  void enable(Node &own, bool enabled);
  /// Takes over what the nodes of a graph of the same form do. All or nothing.
  cudaError_t update(const Graph &from, cudaGraphExecUpdateResultInfo &info);
  cudaError_t updateChild(Node &own, const Graph &from);
  /// Whether a node that did one thing may do the other: the kind of operation stays, copies and
  /// fills stay rows of bytes between the same memories.
  static bool allows(const Operation &before, const Operation &now);

  /// Of its graph, which no other has.
  unsigned id() const { return graph->id(); }

  const unsigned long long flags;
  DeviceLaunching launching;

private:
  struct Step {
    Node *node;
    std::vector<std::vector<Step>> bodies; // of a conditional node
  };
  using Sequence = std::vector<Step>;

  mutable std::mutex mutex;
  Device &device;
  std::shared_ptr<Graph> graph;
  Sequence sequence; // all nodes that do something
  MemoryNeeds memory;
  std::shared_ptr<const Plan> plan; // null after a change
  Point last;                       // of the newest launch

  Executable(Device &device, const Graph &graph, unsigned long long flags);
  static const Node *arrange(const Graph &graph, Sequence &sequence);
  /// A node that keeps kernels from launching the graph, and the reason.
  static bool refusesDeviceLaunch(const Device &device, const Graph &graph, Problem &problem);
  std::shared_ptr<const Plan> makePlan() const;
  void providePlan();
  void forgetPlan();
  cudaError_t updateFrom(Graph &own, const Graph &from, cudaGraphExecUpdateResultInfo &info);
};

} // namespace heddle

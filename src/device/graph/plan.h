// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What one launch of an executable graph does, in order.
#pragma once

#include "device/graph/graph.h"
#include "device/graph/operations.h"

namespace heddle {

class DeviceNode;

/// Operations one after another. Those of conditional nodes have bodies of their own.
struct PlanSteps {
  struct Step {
    OperationPointer operation;
    const ConditionalOperation *conditional = nullptr;
    std::vector<PlanSteps> bodies;
    std::shared_ptr<DeviceNode> device_node; // if set, it says what is run
    // For an observer: the node, and those that are done before it.
    const void *node = nullptr;
    std::vector<const void *> after;
  };
  std::vector<Step> steps;
  bool on_worker_only = false;

  /// `origin`: the host's launch of the graph. Stops where a device fails. `nested`: a kernel has
  /// launched the graph.
  void run(const Origin &origin, bool nested) const noexcept;
};

/// Immutable.
struct Plan {
  /// Steps that are one piece of work, and the event that is recorded or waited for behind them.
  struct Segment {
    PlanSteps work;
    std::shared_ptr<const EventOperation> event;
  };
  std::vector<Segment> segments;
  std::vector<std::shared_ptr<Condition>> conditions;
  std::shared_ptr<const Graph> graph; // keeps what the operations use
};

} // namespace heddle

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Changes to what the nodes of an executable do. Its form stays.
#include "device/graph/executable.h"
#include "device/memory/copy.h"

#include <algorithm>
#include <unordered_map>

namespace heddle {
namespace {

/// Where memory lies, as far as a copy's way depends on it.
int sideOf(const Device &device, const void *pointer) {
  std::optional<Allocation> found = device.memory.find(pointer);
  return found && found->onDevice() ? 1 + found->device : 0;
}

bool sameRoute(const CopyOperation &a, const CopyOperation &b) {
  const Device &device = a.device;
  return sideOf(device, a.source.base) == sideOf(device, b.source.base) &&
         sideOf(device, a.destination.base) == sideOf(device, b.destination.base);
}

/// A row of bytes may become any other; rows and slices keep their sizes.
bool sameShape(const Box &a, const Box &b) {
  auto row = [](const Box &box) { return box.height <= 1 && box.depth <= 1; };
  return (row(a) && row(b)) || (a.width == b.width && a.height == b.height && a.depth == b.depth);
}

/// The nodes of two graphs in pairs, in the order in which they were added. CUDA asks for graphs
/// that were made by the same calls in the same order.
class Pairing {
public:
  struct Pair {
    Node *own;
    const Node *other;
  };
  cudaGraphExecUpdateResultInfo info = {cudaGraphExecUpdateSuccess, nullptr, nullptr};
  std::vector<Pair> pairs;

  bool match(const Graph &own, const Graph &other) {
    const auto &owns = own.nodes(), &others = other.nodes();
    if (owns.size() != others.size())
      return refuse(cudaGraphExecUpdateErrorTopologyChanged, nullptr);
    std::unordered_map<const Node *, size_t> places;
    for (size_t i = 0; i < owns.size(); ++i) {
      places[owns[i].get()] = i;
      places[others[i].get()] = i;
    }
    for (size_t i = 0; i < owns.size(); ++i) {
      Node &node = *owns[i];
      const Node &now = *others[i];
      if (node.type() != now.type())
        return refuse(cudaGraphExecUpdateErrorNodeTypeChanged, &now);
      if (!sameEdges(node, now, places))
        return false;
      if (cudaGraphExecUpdateResult result = changeOf(node, now); result != 0)
        return refuse(result, &now);
      pairs.push_back({&node, &now});
      for (size_t body = 0; body < node.bodies.size(); ++body)
        if (!match(*node.bodies[body], *now.bodies[body]))
          return false;
    }
    return true;
  }

private:
  bool refuse(cudaGraphExecUpdateResult result, const Node *node) {
    info.result = result;
    info.errorNode = reinterpret_cast<cudaGraphNode_t>(const_cast<Node *>(node));
    return false;
  }

  bool sameEdges(const Node &node, const Node &now,
                 const std::unordered_map<const Node *, size_t> &places) {
    const auto &before = node.before, &before_now = now.before;
    for (size_t i = 0; i < std::max(before.size(), before_now.size()); ++i) {
      if (i >= before_now.size())
        return refuse(cudaGraphExecUpdateErrorTopologyChanged, &now);
      if (i >= before.size() || places.at(before[i].node) != places.at(before_now[i].node))
        return refuse(cudaGraphExecUpdateErrorTopologyChanged, &now);
    }
    return true;
  }

  static cudaGraphExecUpdateResult changeOf(const Node &node, const Node &now) {
    return Executable::allows(*node.operation, *now.operation)
               ? cudaGraphExecUpdateSuccess
               : cudaGraphExecUpdateErrorParametersChanged;
  }
};

} // namespace

bool Executable::allows(const Operation &before, const Operation &now) {
  if (before.type() != now.type() || &before.device != &now.device)
    return false;
  switch (before.type()) {
  case cudaGraphNodeTypeMemcpy: {
    const auto &a = static_cast<const CopyOperation &>(before);
    const auto &b = static_cast<const CopyOperation &>(now);
    return sameShape(a.box, b.box) && a.parameters.kind == b.parameters.kind && sameRoute(a, b);
  }
  case cudaGraphNodeTypeMemset: {
    const auto &a = static_cast<const FillOperation &>(before);
    const auto &b = static_cast<const FillOperation &>(now);
    return sameShape(a.box, b.box);
  }
  case cudaGraphNodeTypeConditional:
    return true; // asks the same condition as before
  case cudaGraphNodeTypeMemAlloc:
  case cudaGraphNodeTypeMemFree:
    return &before == &now;
  default:
    return true;
  }
}

cudaError_t Executable::updateFrom(Graph &own, const Graph &from,
                                   cudaGraphExecUpdateResultInfo &info) {
  if (own.holdsDeviceNode() || from.holdsDeviceNode()) {
    info = {cudaGraphExecUpdateErrorNotSupported, nullptr, nullptr};
    return cudaErrorGraphExecUpdateFailure;
  }
  Pairing pairing;
  bool same = pairing.match(own, from);
  info = pairing.info;
  if (!same)
    return cudaErrorGraphExecUpdateFailure;
  for (auto &[node, other] : pairing.pairs)
    if (node->type() != cudaGraphNodeTypeConditional) {
      node->operation = other->operation;
      node->attributes = other->attributes;
    }
  forgetPlan();
  return cudaSuccess;
}

cudaError_t Executable::update(const Graph &from, cudaGraphExecUpdateResultInfo &info) {
  std::lock_guard lock(mutex);
  return updateFrom(*graph, from, info);
}

cudaError_t Executable::updateChild(Node &own, const Graph &from) {
  std::lock_guard lock(mutex);
  cudaGraphExecUpdateResultInfo info;
  return updateFrom(*own.bodies.front(), from, info);
}

} // namespace heddle

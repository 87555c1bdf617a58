// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which nodes of a graph are done before which, for observers.
#pragma once

#include "device/graph/graph.h"

#include <unordered_map>
#include <vector>

namespace heddle {

class NodeOrder {
public:
  explicit NodeOrder(const Graph &graph) { add(graph, {}); }
  /// All nodes that are done when this one begins, also in the graphs of child graph nodes.
  std::vector<const void *> before(const Node &node) const;

private:
  using Set = std::vector<bool>; // by number
  void add(const Graph &graph, const Set &before);
  static void unite(Set &into, const Set &more);
  std::vector<const Node *> nodes_;                      // by number
  std::unordered_map<const Node *, Set> before_, after_; // done when it begins, and when it ends
};

} // namespace heddle

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device/graph/node_order.h"

#include <algorithm>

namespace heddle {

void NodeOrder::unite(Set &into, const Set &more) {
  if (into.size() < more.size())
    into.resize(more.size());
  for (size_t i = 0; i < more.size(); ++i)
    if (more[i])
      into[i] = true;
}

// `before`: what is done when the graph begins. (Those of conditional nodes order themselves:
// each time, they come behind all that was done before.)
void NodeOrder::add(const Graph &graph, const Set &before) {
  std::vector<Node *> ordered;
  if (graph.order(ordered))
    return;
  for (const Node *node : ordered) {
    Set done = before;
    for (const Edge &edge : node->before)
      unite(done, after_[edge.node]);
    before_[node] = done;
    const size_t number = nodes_.size();
    nodes_.push_back(node);
    for (const auto &body : node->bodies)
      add(*body, node->type() == cudaGraphNodeTypeGraph ? done : Set());
    // All nodes that it runs have numbers from its own on.
    done.resize(nodes_.size());
    std::fill(done.begin() + ptrdiff_t(number), done.end(), true);
    after_[node] = std::move(done);
  }
}

std::vector<const void *> NodeOrder::before(const Node &node) const {
  std::vector<const void *> result;
  const auto found = before_.find(&node);
  for (size_t i = 0; found != before_.end() && i < found->second.size(); ++i)
    if (found->second[i])
      result.push_back(nodes_[i]);
  return result;
}

} // namespace heddle

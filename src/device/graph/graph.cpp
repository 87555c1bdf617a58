// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device/graph/graph.h"

#include "device/graph/operations.h"
#include "device/launch.h"

#include <algorithm>
#include <cstring>
#include <unordered_map>

namespace heddle {
namespace {

std::atomic<uint64_t> next_id = 1;

bool same(const cudaGraphEdgeData &a, const cudaGraphEdgeData &b) {
  return memcmp(&a, &b, sizeof a) == 0;
}

std::vector<Edge>::iterator find(std::vector<Edge> &edges, const Node &node) {
  return std::find_if(edges.begin(), edges.end(),
                      [&](const Edge &edge) { return edge.node == &node; });
}

void erase(std::vector<Edge> &edges, const Node &node) {
  std::erase_if(edges, [&](const Edge &edge) { return edge.node == &node; });
}

/// Whether CUDA knows such an edge: a full dependency, or one on an event within a kernel.
bool valid(const Node &from, const Node &to, const cudaGraphEdgeData &data) {
  if (data.type == cudaGraphDependencyTypeDefault)
    return data.from_port == 0 && data.to_port == 0;
  return data.type == cudaGraphDependencyTypeProgrammatic && data.to_port == 0 &&
         data.from_port <= cudaGraphKernelNodePortLaunchCompletion &&
         from.type() == cudaGraphNodeTypeKernel && to.type() == cudaGraphNodeTypeKernel;
}

// What libraries compute is host functions here, and kernels on a GPU.
bool isOfLibrary(const Node &node) {
  const auto *host = dynamic_cast<const HostOperation *>(node.operation.get());
  return host && host->library_call;
}

} // namespace

Node::Node(Graph &graph, OperationPointer operation)
    : graph(graph), id(next_id++), operation(std::move(operation)), local_id(graph.nodes_made++) {
  if (type() == cudaGraphNodeTypeKernel)
    device_node = static_cast<const KernelOperation &>(*this->operation).device_node;
}

bool Node::knowsAttribute(cudaLaunchAttributeID attribute) {
  switch (attribute) {
  case cudaLaunchAttributeAccessPolicyWindow:
  case cudaLaunchAttributeCooperative:
  case cudaLaunchAttributeClusterDimension:
  case cudaLaunchAttributeClusterSchedulingPolicyPreference:
  case cudaLaunchAttributePriority:
  case cudaLaunchAttributeMemSyncDomainMap:
  case cudaLaunchAttributeMemSyncDomain:
  case cudaLaunchAttributeDeviceUpdatableKernelNode:
    return true;
  default:
    return false;
  }
}

Handles<Node> &Node::handles() {
  static auto *handles = new Handles<Node>; // outlives the program's static objects
  return *handles;
}

Handles<Graph> &Graph::handles() {
  static auto *handles = new Handles<Graph>;
  return *handles;
}

Graph::Graph()
    : number([] {
        static std::atomic<unsigned> next_graph = 1;
        return next_graph++;
      }()) {}

std::shared_ptr<Graph> Graph::create(Role role) {
  std::shared_ptr<Graph> graph(new Graph);
  graph->role = role;
  if (role != Role::Private)
    handles().add(graph);
  return graph;
}

Graph::~Graph() { forget(); }

void Graph::forget() {
  if (role == Role::Private)
    return;
  handles().remove(this);
  for (const NodePointer &node : all) {
    Node::handles().remove(node.get());
    for (const auto &body : node->bodies)
      body->forget();
  }
}

cudaError_t Graph::add(OperationPointer operation, std::span<const Edge> before,
                       NodePointer &node) {
  auto made = std::make_shared<Node>(*this, std::move(operation));
  for (size_t i = 0; i < before.size(); ++i) {
    const Edge &edge = before[i];
    bool twice = std::any_of(before.begin(), before.begin() + ptrdiff_t(i),
                             [&](const Edge &other) { return other.node == edge.node; });
    if (&edge.node->graph != this || twice || !valid(*edge.node, *made, edge.data))
      return cudaErrorInvalidValue;
  }
  for (const Edge &edge : before) {
    made->before.push_back(edge);
    edge.node->after.push_back({made.get(), edge.data});
  }
  all.push_back(made);
  if (role != Role::Private)
    Node::handles().add(made);
  node = std::move(made);
  return cudaSuccess;
}

void Graph::remove(Node &node) {
  for (const Edge &edge : node.before)
    erase(edge.node->after, node);
  for (const Edge &edge : node.after)
    erase(edge.node->before, node);
  for (const auto &body : node.bodies)
    body->forget();
  Node::handles().remove(&node);
  std::erase_if(all, [&](const NodePointer &other) { return other.get() == &node; });
}

cudaError_t Graph::connect(Node &from, Node &to, const cudaGraphEdgeData &data) {
  if (&from == &to || find(from.after, to) != from.after.end() || !valid(from, to, data))
    return cudaErrorInvalidValue;
  from.after.push_back({&to, data});
  to.before.push_back({&from, data});
  return cudaSuccess;
}

cudaError_t Graph::disconnect(Node &from, Node &to, const cudaGraphEdgeData &data) {
  auto edge = find(from.after, to);
  if (edge == from.after.end() || !same(edge->data, data))
    return cudaErrorInvalidValue;
  erase(from.after, to);
  erase(to.before, from);
  return cudaSuccess;
}

std::shared_ptr<Graph> Graph::clone(Role role) const {
  std::shared_ptr<Graph> copy = create(role);
  std::unordered_map<const Node *, Node *> copies;
  for (const NodePointer &node : all) {
    auto made = std::make_shared<Node>(*copy, node->operation);
    made->origin = node->id;
    made->attributes = node->attributes;
    made->enabled = node->enabled;
    made->device_node = node->device_node;
    for (const auto &body : node->bodies)
      made->bodies.push_back(body->clone(role == Role::Private ? role : body->role));
    copies[node.get()] = made.get();
    copy->all.push_back(made);
    if (role != Role::Private)
      Node::handles().add(made);
  }
  for (const NodePointer &node : all) {
    Node &made = *copies[node.get()];
    for (const Edge &edge : node->before)
      made.before.push_back({copies[edge.node], edge.data});
    for (const Edge &edge : node->after)
      made.after.push_back({copies[edge.node], edge.data});
  }
  for (const auto &[object, count] : objects.all())
    copy->objects.add(object, count, false);
  copy->conditions = conditions;
  return copy;
}

Node *Graph::findCopyOf(const Node &original) const {
  for (const NodePointer &node : all) {
    if (node->origin == original.id)
      return node.get();
    for (const auto &body : node->bodies)
      if (Node *found = body->findCopyOf(original))
        return found;
  }
  return nullptr;
}

const Node *Graph::withId(uint64_t id) const {
  for (const NodePointer &node : all) {
    if (node->id == id)
      return node.get();
    for (const auto &body : node->bodies)
      if (const Node *found = body->withId(id))
        return found;
  }
  return nullptr;
}

const Node *Graph::order(std::vector<Node *> &ordered) const {
  // Of the nodes that may run, those that wait for other streams come last, so that as much as
  // possible is done before; others in the order in which they were added.
  std::unordered_map<const Node *, size_t> left;
  std::vector<Node *> ready, late;
  auto put = [&](Node *node) {
    (node->type() == cudaGraphNodeTypeWaitEvent ? late : ready).push_back(node);
  };
  for (const NodePointer &node : all) {
    left[node.get()] = node->before.size();
    if (node->before.empty())
      put(node.get());
  }
  size_t next_ready = 0, next_late = 0;
  ordered.clear();
  while (next_ready < ready.size() || next_late < late.size()) {
    Node *node = next_ready < ready.size() ? ready[next_ready++] : late[next_late++];
    ordered.push_back(node);
    for (const Edge &edge : node->after)
      if (--left[edge.node] == 0)
        put(edge.node);
  }
  if (ordered.size() == all.size())
    return nullptr;
  // From a node that is left to one that it waits for, and so on: that leads into a cycle.
  auto waits = [&](const Edge &edge) { return left[edge.node] > 0; };
  const Node *node = std::find_if(all.begin(), all.end(), [&](const NodePointer &node) {
                       return left[node.get()] > 0;
                     })->get();
  for (size_t i = 0; i < all.size(); ++i)
    node = std::find_if(node->before.begin(), node->before.end(), waits)->node;
  return node;
}

bool Graph::holds(cudaGraphNodeType type) const {
  return std::any_of(all.begin(), all.end(), [&](const NodePointer &node) {
    return node->type() == type || std::any_of(node->bodies.begin(), node->bodies.end(),
                                               [&](const auto &body) { return body->holds(type); });
  });
}

bool Graph::changeable() const {
  return !holds(cudaGraphNodeTypeMemAlloc) && !holds(cudaGraphNodeTypeMemFree);
}

bool Graph::holdsDeviceNode() const {
  return std::any_of(all.begin(), all.end(), [](const NodePointer &node) {
    return node->device_node ||
           std::any_of(node->bodies.begin(), node->bodies.end(),
                       [](const auto &body) { return body->holdsDeviceNode(); });
  });
}

bool Graph::copyable() const {
  return changeable() && !holds(cudaGraphNodeTypeConditional) && !holdsDeviceNode();
}

std::shared_ptr<Condition> Graph::freeCondition(cudaGraphConditionalHandle handle) const {
  for (const auto &condition : conditions)
    if (reinterpret_cast<cudaGraphConditionalHandle>(&condition->value) == handle)
      return condition->used ? nullptr : condition;
  return nullptr;
}

bool Graph::hasUnusedCondition() const {
  return std::any_of(conditions.begin(), conditions.end(),
                     [](const auto &condition) { return !condition->used; });
}

const Node *Graph::wrongInBody(bool in_body) const {
  for (const NodePointer &node : all) {
    switch (node->type()) {
    case cudaGraphNodeTypeKernel:
    case cudaGraphNodeTypeMemcpy:
    case cudaGraphNodeTypeMemset:
    case cudaGraphNodeTypeGraph:
    case cudaGraphNodeTypeEmpty:
    case cudaGraphNodeTypeConditional:
      break;
    default:
      if (in_body && !isOfLibrary(*node))
        return node.get();
    }
    for (const auto &body : node->bodies)
      if (const Node *bad = body->wrongInBody(in_body || body->role == Role::Body))
        return bad;
  }
  return nullptr;
}

} // namespace heddle

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Graphs as programs build them: operations, and which of them must be done before which. An
// executable (executable.h) is made of one to run it.
#pragma once

#include "device/graph/user_object.h"
#include "device/operation.h"

#include <span>
#include <vector>

namespace heddle {

class DeviceNode;
class Executable;
class Graph;
class Node;
struct Condition;

struct Edge {
  Node *node = nullptr; // at the other end
  cudaGraphEdgeData data = {};
};

/// What a cudaGraphNode_t points to. It belongs to its graph.
class Node {
public:
  Node(Graph &graph, OperationPointer operation);
  static Handles<Node> &handles();
  cudaGraphNodeType type() const { return operation->type(); }

  Graph &graph;
  const uint64_t id;   // no two nodes have the same
  uint64_t origin = 0; // the id of the node that this one is a copy of
  OperationPointer operation;
  std::map<cudaLaunchAttributeID, cudaLaunchAttributeValue> attributes; // of a kernel, if set
  bool enabled = true;
  std::shared_ptr<DeviceNode> device_node; // of a kernel that kernels change (device_node.h)
  std::vector<Edge> before, after;         // its dependencies; those that depend on it
  /// The graph that a child graph node runs, or those of a conditional node.
  std::vector<std::shared_ptr<Graph>> bodies;
  // What the program was told of, by pointer.
  std::vector<cudaGraph_t> told_bodies;
  std::vector<void *> told_arguments;

  const unsigned local_id; // no two nodes of the graph

  static bool knowsAttribute(cudaLaunchAttributeID attribute);
};

using NodePointer = std::shared_ptr<Node>;

/// What a cudaGraph_t points to. As in CUDA, a graph is not thread-safe.
class Graph : public std::enable_shared_from_this<Graph> {
public:
  /// What a graph is to others.
  enum class Role {
    Own,    // the program's, until it destroys it
    Child,  // of a node's
    Body,   // of a conditional node
    Private // of an executable: it has no handles
  };
  static std::shared_ptr<Graph> create(Role role = Role::Own);
  static Handles<Graph> &handles();
  ~Graph();
  Graph(const Graph &) = delete;
  Graph &operator=(const Graph &) = delete;

  /// Adds a node that depends on others of this graph.
  cudaError_t add(OperationPointer operation, std::span<const Edge> before, NodePointer &node);
  void remove(Node &node);
  /// cudaErrorInvalidValue if there is such an edge already, or if it leads from a node to itself.
  cudaError_t connect(Node &from, Node &to, const cudaGraphEdgeData &data);
  /// cudaErrorInvalidValue if there is no such edge.
  cudaError_t disconnect(Node &from, Node &to, const cudaGraphEdgeData &data);
  /// A copy, with copies of the graphs that its nodes run.
  std::shared_ptr<Graph> clone(Role role = Role::Own) const;
  /// The copy of a node in this graph; null if there is none.
  Node *findCopyOf(const Node &original) const;
  /// The node with this id, also in the graphs that nodes run; null if there is none.
  const Node *withId(uint64_t id) const;
  /// The nodes in an order in which they may run. If there is none, a node that waits for itself.
  const Node *order(std::vector<Node *> &ordered) const;
  /// Whether some node, also in the graphs that nodes run, is of this type.
  bool holds(cudaGraphNodeType type) const;
  /// Whether kernels change some node, also in the graphs that nodes run.
  bool holdsDeviceNode() const;
  /// Whether CUDA copies it: not with memory and conditional nodes, and nodes that kernels change.
  bool copyable() const;
  /// Whether nodes and edges can be taken away: not with memory nodes.
  bool changeable() const;
  /// The condition with this handle that no node asks yet; null if there is none.
  std::shared_ptr<Condition> freeCondition(cudaGraphConditionalHandle handle) const;
  bool hasUnusedCondition() const;
  /// A node in a conditional node's graph that may not be there; null if there is none.
  const Node *wrongInBody(bool in_body = false) const;
  /// Its handles are forgotten. Captures and executables that use it still may.
  void forget();

  const std::vector<NodePointer> &nodes() const { return all; }
  /// No two graphs have the same.
  unsigned id() const { return number; }

  Role role = Role::Own;
  ObjectReferences objects;
  /// What its conditional nodes may ask; a copy of the graph shares them.
  std::vector<std::shared_ptr<Condition>> conditions;
  /// The newest: of a graph with memory or conditional nodes there can be no second one.
  std::weak_ptr<Executable> only_executable;

private:
  Graph();
  friend class Node;
  std::vector<NodePointer> all; // in the order in which they were added
  const unsigned number;
  unsigned nodes_made = 0; // also those that are gone
};

} // namespace heddle

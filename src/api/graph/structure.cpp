// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nodes and edges of graphs: what there is, and changes.
#include "api/graph/entry.h"
#include "device/graph/dot.h"

#include <fstream>

using namespace heddle;
using namespace heddle::api;

namespace {

using Data = cudaGraphEdgeData;

/// Edges without data stand for those with the default data; asked for without their data, others
/// cannot be told.
bool plain(const Data &data) { return data.type == 0 && data.from_port == 0 && data.to_port == 0; }

template <class Change>
cudaError_t changeEdges(cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
                        const Data *data, size_t count, Change change) {
  return callGraph(graph, [&](Graph &graph) {
    std::vector<Edge> sources, targets;
    if (cudaError_t error = findEdges(from, data, count, sources))
      return error;
    if (cudaError_t error = findEdges(to, nullptr, count, targets))
      return error;
    for (size_t i = 0; i < count; ++i) {
      if (&sources[i].node->graph != &graph || &targets[i].node->graph != &graph)
        return cudaErrorInvalidValue;
      if (cudaError_t error = change(graph, *sources[i].node, *targets[i].node, sources[i].data))
        return error;
    }
    return cudaSuccess;
  });
}

cudaError_t tellEdges(cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to, Data *data,
                      size_t *count) {
  return callGraph(graph, [&](Graph &graph) {
    if (!count || !from != !to)
      return cudaErrorInvalidValue;
    std::vector<std::pair<const Node *, Edge>> edges;
    for (const NodePointer &node : graph.nodes())
      for (const Edge &edge : node->after)
        edges.push_back({node.get(), edge});
    for (size_t i = 0; from && !data && i < edges.size(); ++i)
      if (!plain(edges[i].second.data))
        return cudaErrorLossyQuery;
    tell(edges.size(), count, from, [&](size_t i, bool there) {
      from[i] = there ? handleOf(edges[i].first) : nullptr;
      to[i] = there ? handleOf(edges[i].second.node) : nullptr;
      if (data)
        data[i] = there ? edges[i].second.data : Data{};
    });
    return cudaSuccess;
  });
}

cudaError_t tellNeighbours(cudaGraphNode_t node, cudaGraphNode_t *nodes, Data *data, size_t *count,
                           std::vector<Edge> Node::*direction) {
  return callNode(node, [&](Node &node) {
    if (!count)
      return cudaErrorInvalidValue;
    const std::vector<Edge> &edges = node.*direction;
    for (size_t i = 0; nodes && !data && i < edges.size(); ++i)
      if (!plain(edges[i].data))
        return cudaErrorLossyQuery;
    tell(edges.size(), count, nodes, [&](size_t i, bool there) {
      nodes[i] = there ? handleOf(edges[i].node) : nullptr;
      if (data)
        data[i] = there ? edges[i].data : Data{};
    });
    return cudaSuccess;
  });
}

cudaError_t tellNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count, bool roots) {
  return callGraph(graph, [&](Graph &graph) {
    if (!count)
      return cudaErrorInvalidValue;
    std::vector<const Node *> found;
    for (const NodePointer &node : graph.nodes())
      if (!roots || node->before.empty())
        found.push_back(node.get());
    tell(found.size(), count, nodes,
         [&](size_t i, bool there) { nodes[i] = there ? handleOf(found[i]) : nullptr; });
    return cudaSuccess;
  });
}

cudaError_t connect(cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
                    const Data *data, size_t count) {
  return changeEdges(graph, from, to, data, count,
                     [](Graph &graph, Node &from, Node &to, const Data &data) {
                       return graph.connect(from, to, data);
                     });
}

cudaError_t disconnect(cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
                       const Data *data, size_t count) {
  return changeEdges(
      graph, from, to, data, count, [](Graph &graph, Node &from, Node &to, const Data &data) {
        return graph.changeable() ? graph.disconnect(from, to, data) : cudaErrorNotSupported;
      });
}

} // namespace

cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  return callGraph(graph, [](Graph &graph) {
    if (graph.role != Graph::Role::Own) // it is a node's
      return cudaErrorInvalidValue;
    if (Capture::fills(graph))
      return cudaErrorIllegalState;
    graph.forget();
    return cudaSuccess;
  });
}

cudaError_t cudaGraphClone(cudaGraph_t *clone, cudaGraph_t original) {
  return callGraph(original, [&](Graph &graph) {
    if (!clone)
      return cudaErrorInvalidValue;
    if (!graph.copyable())
      return cudaErrorNotSupported;
    *clone = handleOf(graph.clone().get());
    return cudaSuccess;
  });
}

cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t *node, cudaGraphNode_t originalNode,
                                     cudaGraph_t clonedGraph) {
  return callNode(originalNode, [&](Node &original) {
    std::shared_ptr<Graph> clone;
    if (cudaError_t error = findGraph(clonedGraph, clone))
      return error;
    const Node *found = clone->findCopyOf(original);
    if (!found || !node)
      return cudaErrorInvalidValue;
    *node = handleOf(found);
    return cudaSuccess;
  });
}

cudaError_t cudaGraphDestroyNode(cudaGraphNode_t node) {
  return callNode(node, [](Node &node) {
    if (!node.graph.changeable() || node.device_node)
      return cudaErrorNotSupported;
    node.graph.remove(node);
    return cudaSuccess;
  });
}

cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                     const cudaGraphNode_t *to, size_t numDependencies) {
  return connect(graph, from, to, nullptr, numDependencies);
}

cudaError_t cudaGraphAddDependencies_v2(cudaGraph_t graph, const cudaGraphNode_t *from,
                                        const cudaGraphNode_t *to,
                                        const cudaGraphEdgeData *edgeData, size_t numDependencies) {
  return connect(graph, from, to, edgeData, numDependencies);
}

cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                        const cudaGraphNode_t *to, size_t numDependencies) {
  return disconnect(graph, from, to, nullptr, numDependencies);
}

cudaError_t cudaGraphRemoveDependencies_v2(cudaGraph_t graph, const cudaGraphNode_t *from,
                                           const cudaGraphNode_t *to,
                                           const cudaGraphEdgeData *edgeData,
                                           size_t numDependencies) {
  return disconnect(graph, from, to, edgeData, numDependencies);
}

cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to,
                              size_t *numEdges) {
  return tellEdges(graph, from, to, nullptr, numEdges);
}

cudaError_t cudaGraphGetEdges_v2(cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to,
                                 cudaGraphEdgeData *edgeData, size_t *numEdges) {
  return tellEdges(graph, from, to, edgeData, numEdges);
}

cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t *dependencies,
                                         size_t *numDependencies) {
  return tellNeighbours(node, dependencies, nullptr, numDependencies, &Node::before);
}

cudaError_t cudaGraphNodeGetDependencies_v2(cudaGraphNode_t node, cudaGraphNode_t *dependencies,
                                            cudaGraphEdgeData *edgeData, size_t *numDependencies) {
  return tellNeighbours(node, dependencies, edgeData, numDependencies, &Node::before);
}

cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t *dependentNodes,
                                           size_t *numDependentNodes) {
  return tellNeighbours(node, dependentNodes, nullptr, numDependentNodes, &Node::after);
}

cudaError_t cudaGraphNodeGetDependentNodes_v2(cudaGraphNode_t node, cudaGraphNode_t *dependentNodes,
                                              cudaGraphEdgeData *edgeData,
                                              size_t *numDependentNodes) {
  return tellNeighbours(node, dependentNodes, edgeData, numDependentNodes, &Node::after);
}

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *numNodes) {
  return tellNodes(graph, nodes, numNodes, false);
}

cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t *rootNodes,
                                  size_t *numRootNodes) {
  return tellNodes(graph, rootNodes, numRootNodes, true);
}

cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, cudaGraphNodeType *type) {
  return callNode(node, [&](Node &node) {
    if (!type)
      return cudaErrorInvalidValue;
    *type = node.type();
    return cudaSuccess;
  });
}

cudaError_t cudaGraphDebugDotPrint(cudaGraph_t graph, const char *path, unsigned flags) {
  return callGraph(graph, [&](Graph &graph) {
    if (!path)
      return cudaErrorInvalidValue;
    std::ofstream file(path);
    file << dotOf(graph, flags);
    file.close();
    return file ? cudaSuccess : cudaErrorOperatingSystem;
  });
}

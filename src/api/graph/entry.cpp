// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "api/graph/entry.h"

namespace heddle::api {

cudaGraph_t handleOf(const Graph *graph) {
  return reinterpret_cast<cudaGraph_t>(const_cast<Graph *>(graph));
}

cudaGraphNode_t handleOf(const Node *node) {
  return reinterpret_cast<cudaGraphNode_t>(const_cast<Node *>(node));
}

cudaError_t findGraph(cudaGraph_t handle, std::shared_ptr<Graph> &graph) {
  graph = Graph::handles().find(handle);
  return graph ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t findNode(cudaGraphNode_t handle, NodePointer &node) {
  node = Node::handles().find(handle);
  return node ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t findExecutable(cudaGraphExec_t handle, std::shared_ptr<Executable> &executable) {
  executable = Executable::handles().find(handle);
  return executable ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t findEdges(const cudaGraphNode_t *nodes, const cudaGraphEdgeData *data, size_t count,
                      std::vector<Edge> &edges) {
  if (count && !nodes)
    return cudaErrorInvalidValue;
  for (size_t i = 0; i < count; ++i) {
    NodePointer node;
    if (cudaError_t error = findNode(nodes[i], node))
      return error;
    edges.push_back({node.get(), data ? data[i] : cudaGraphEdgeData{}});
  }
  return cudaSuccess;
}

} // namespace heddle::api

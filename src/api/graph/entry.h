// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the entry points for graphs have in common: handles, and operations made of the parameters
// that programs give for nodes.
#pragma once

#include "api/entry.h"
#include "device/graph/executable.h"

namespace heddle::api {

cudaGraph_t handleOf(const Graph *graph);
cudaGraphNode_t handleOf(const Node *node);

/// cudaErrorInvalidValue if there is no such graph (node, executable).
cudaError_t findGraph(cudaGraph_t handle, std::shared_ptr<Graph> &graph);
cudaError_t findNode(cudaGraphNode_t handle, NodePointer &node);
cudaError_t findExecutable(cudaGraphExec_t handle, std::shared_ptr<Executable> &executable);

/// Nodes with the data of the edges to them; `data` may be null.
cudaError_t findEdges(const cudaGraphNode_t *nodes, const cudaGraphEdgeData *data, size_t count,
                      std::vector<Edge> &edges);

template <class Body> cudaError_t callGraph(cudaGraph_t handle, Body body) {
  return callPlatform([&](Platform &) {
    std::shared_ptr<Graph> graph;
    cudaError_t error = findGraph(handle, graph);
    return error ? error : body(*graph);
  });
}

template <class Body> cudaError_t callNode(cudaGraphNode_t handle, Body body) {
  return callPlatform([&](Platform &) {
    NodePointer node;
    cudaError_t error = findNode(handle, node);
    return error ? error : body(*node);
  });
}

template <class Body> cudaError_t callExecutable(cudaGraphExec_t handle, Body body) {
  return callPlatform([&](Platform &) {
    std::shared_ptr<Executable> executable;
    cudaError_t error = findExecutable(handle, executable);
    return error ? error : body(*executable);
  });
}

/// Writes what there is, or only how much, as CUDA's functions that list nodes do: `count` is how
/// much fits, then how much there is; what is left of the arrays becomes null.
template <class Each> void tell(size_t available, size_t *count, bool has_room, Each each) {
  if (!has_room) {
    *count = available;
    return;
  }
  for (size_t i = 0; i < *count; ++i)
    each(i, i < available);
  *count = available < *count ? available : *count;
}

// ---- Operations from parameters -----------------------------------------------------------------
// They check what a program gives as the call that does the same on a stream does.

cudaError_t makeKernel(Device &device, const cudaKernelNodeParams *parameters,
                       OperationPointer &operation);
cudaError_t makeCopy(Device &device, const cudaMemcpy3DParms *parameters,
                     OperationPointer &operation);
cudaError_t makeCopy1D(Device &device, void *to, const void *from, size_t count,
                       cudaMemcpyKind kind, OperationPointer &operation);
cudaError_t makeCopySymbol(Device &device, const void *symbol, const void *other, size_t count,
                           size_t offset, cudaMemcpyKind kind, bool to_symbol,
                           OperationPointer &operation);
cudaError_t makeFill(Device &device, const cudaMemsetParams *parameters,
                     OperationPointer &operation);
cudaError_t makeHost(Device &device, const cudaHostNodeParams *parameters,
                     OperationPointer &operation);
cudaError_t makeEvent(cudaEvent_t event, bool records, OperationPointer &operation);
/// Of any type that has no graphs or memory of its own.
cudaError_t make(Device &device, const cudaGraphNodeParams &parameters,
                 OperationPointer &operation);

} // namespace heddle::api

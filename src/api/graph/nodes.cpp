// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Graphs are built: cudaGraphCreate, cudaGraphAdd*.
#include "api/graph/entry.h"
#include "device/graph/memory.h"

using namespace heddle;
using namespace heddle::api;

namespace {

/// Adds a node with the operation that `make(device, operation)` gives.
template <class Make>
cudaError_t add(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *dependencies,
                const cudaGraphEdgeData *data, size_t count, Make make) {
  return callDevice([&](Device &device) {
    std::shared_ptr<Graph> found;
    std::vector<Edge> before;
    OperationPointer operation;
    if (!node)
      return cudaErrorInvalidValue;
    if (cudaError_t error = findGraph(graph, found))
      return error;
    if (cudaError_t error = findEdges(dependencies, data, count, before))
      return error;
    if (cudaError_t error = make(device, operation))
      return error;
    NodePointer made;
    if (cudaError_t error = found->add(std::move(operation), before, made))
      return error;
    *node = handleOf(made.get());
    return cudaSuccess;
  });
}

cudaError_t addChild(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *dependencies,
                     const cudaGraphEdgeData *data, size_t count, cudaGraph_t child) {
  std::shared_ptr<Graph> copy;
  cudaError_t error =
      add(node, graph, dependencies, data, count, [&](Device &device, OperationPointer &operation) {
        std::shared_ptr<Graph> found;
        if (cudaError_t error = findGraph(child, found))
          return error;
        if (graph == child)
          return cudaErrorInvalidValue;
        if (!found->copyable())
          return cudaErrorNotSupported;
        copy = found->clone(Graph::Role::Child);
        operation = std::make_shared<EmptyOperation>(device, cudaGraphNodeTypeGraph);
        return cudaSuccess;
      });
  if (!error)
    Node::handles().find(*node)->bodies.push_back(std::move(copy));
  return error;
}

/// How many graphs a conditional node can have.
bool allows(cudaGraphConditionalNodeType type, unsigned size) {
  switch (type) {
  case cudaGraphCondTypeIf:
    return size == 1 || size == 2;
  case cudaGraphCondTypeWhile:
    return size == 1;
  case cudaGraphCondTypeSwitch:
    return size >= 1;
  }
  return false;
}

cudaError_t addConditional(cudaGraphNode_t *node, cudaGraph_t graph,
                           const cudaGraphNode_t *dependencies, const cudaGraphEdgeData *data,
                           size_t count, cudaConditionalNodeParams &parameters) {
  cudaError_t error =
      add(node, graph, dependencies, data, count, [&](Device &device, OperationPointer &operation) {
        std::shared_ptr<Graph> found;
        if (cudaError_t error = findGraph(graph, found))
          return error;
        const std::shared_ptr<Condition> condition = found->freeCondition(parameters.handle);
        if (!condition || !allows(parameters.type, parameters.size))
          return cudaErrorInvalidValue;
        operation = std::make_shared<ConditionalOperation>(device, condition, parameters.type);
        return cudaSuccess;
      });
  if (error)
    return error;
  Node &made = *Node::handles().find(*node);
  static_cast<const ConditionalOperation &>(*made.operation).condition->used = true;
  for (unsigned i = 0; i < parameters.size; ++i) {
    made.bodies.push_back(Graph::create(Graph::Role::Body));
    made.told_bodies.push_back(handleOf(made.bodies.back().get()));
  }
  parameters.phGraph_out = made.told_bodies.data();
  return cudaSuccess;
}

cudaError_t addAllocation(cudaGraphNode_t *node, cudaGraph_t graph,
                          const cudaGraphNode_t *dependencies, const cudaGraphEdgeData *data,
                          size_t count, cudaMemAllocNodeParams *parameters) {
  return add(node, graph, dependencies, data, count, [&](Device &, OperationPointer &operation) {
    if (!parameters)
      return cudaErrorInvalidValue;
    parameters->dptr = nullptr;
    const cudaMemPoolProps &pool = parameters->poolProps;
    Platform &platform = Platform::instance();
    if (pool.allocType != cudaMemAllocationTypePinned || pool.handleTypes != 0 ||
        pool.location.type != cudaMemLocationTypeDevice || pool.location.id < 0 ||
        pool.location.id >= platform.deviceCount())
      return cudaErrorInvalidValue;
    std::shared_ptr<Graph> found;
    std::vector<Edge> before;
    if (cudaError_t error = findGraph(graph, found))
      return error;
    if (cudaError_t error = findEdges(dependencies, data, count, before))
      return error;
    return GraphMemory::of(platform.device(pool.location.id))
        .allocate(*found, before, *parameters, operation);
  });
}

cudaError_t addFree(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *dependencies,
                    const cudaGraphEdgeData *data, size_t count, void *pointer) {
  return add(node, graph, dependencies, data, count,
             [&](Device &device, OperationPointer &operation) {
               std::shared_ptr<Graph> found;
               if (cudaError_t error = findGraph(graph, found))
                 return error;
               std::optional<Allocation> memory = device.memory.find(pointer);
               if (!memory || memory->kind != MemoryKind::Graph)
                 return cudaErrorInvalidValue;
               return GraphMemory::of(Platform::instance().device(memory->device))
                   .free(*found, pointer, operation);
             });
}

cudaError_t addAny(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *dependencies,
                   const cudaGraphEdgeData *data, size_t count, cudaGraphNodeParams *parameters) {
  if (!parameters)
    return call([] { return cudaErrorInvalidValue; });
  switch (parameters->type) {
  case cudaGraphNodeTypeGraph:
    return addChild(node, graph, dependencies, data, count, parameters->graph.graph);
  case cudaGraphNodeTypeConditional:
    return addConditional(node, graph, dependencies, data, count, parameters->conditional);
  case cudaGraphNodeTypeMemAlloc: {
    cudaMemAllocNodeParamsV2 &told = parameters->alloc;
    cudaMemAllocNodeParams older{told.poolProps, told.accessDescs, told.accessDescCount,
                                 told.bytesize, nullptr};
    cudaError_t error = addAllocation(node, graph, dependencies, data, count, &older);
    told.dptr = older.dptr;
    return error;
  }
  case cudaGraphNodeTypeMemFree:
    return addFree(node, graph, dependencies, data, count, parameters->free.dptr);
  default:
    return add(node, graph, dependencies, data, count,
               [&](Device &device, OperationPointer &operation) {
                 return make(device, *parameters, operation);
               });
  }
}

} // namespace

cudaError_t cudaGraphCreate(cudaGraph_t *graph, unsigned flags) {
  return callPlatform([&](Platform &) {
    if (!graph || flags != 0)
      return cudaErrorInvalidValue;
    *graph = handleOf(Graph::create().get());
    return cudaSuccess;
  });
}

cudaError_t cudaGraphAddNode(cudaGraphNode_t *node, cudaGraph_t graph,
                             const cudaGraphNode_t *dependencies, size_t numDependencies,
                             cudaGraphNodeParams *params) {
  return addAny(node, graph, dependencies, nullptr, numDependencies, params);
}

cudaError_t cudaGraphAddNode_v2(cudaGraphNode_t *node, cudaGraph_t graph,
                                const cudaGraphNode_t *dependencies,
                                const cudaGraphEdgeData *dependencyData, size_t numDependencies,
                                cudaGraphNodeParams *params) {
  return addAny(node, graph, dependencies, dependencyData, numDependencies, params);
}

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                   const cudaGraphNode_t *dependencies, size_t numDependencies,
                                   const cudaKernelNodeParams *params) {
  return add(node, graph, dependencies, nullptr, numDependencies,
             [&](Device &device, OperationPointer &operation) {
               return makeKernel(device, params, operation);
             });
}

cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                   const cudaGraphNode_t *dependencies, size_t numDependencies,
                                   const cudaMemcpy3DParms *params) {
  return add(node, graph, dependencies, nullptr, numDependencies,
             [&](Device &device, OperationPointer &operation) {
               return makeCopy(device, params, operation);
             });
}

cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t *node, cudaGraph_t graph,
                                     const cudaGraphNode_t *dependencies, size_t numDependencies,
                                     void *dst, const void *src, size_t count,
                                     cudaMemcpyKind kind) {
  return add(node, graph, dependencies, nullptr, numDependencies,
             [&](Device &device, OperationPointer &operation) {
               return makeCopy1D(device, dst, src, count, kind, operation);
             });
}

cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t *node, cudaGraph_t graph,
                                           const cudaGraphNode_t *dependencies,
                                           size_t numDependencies, const void *symbol,
                                           const void *src, size_t count, size_t offset,
                                           cudaMemcpyKind kind) {
  return add(node, graph, dependencies, nullptr, numDependencies,
             [&](Device &device, OperationPointer &operation) {
               return makeCopySymbol(device, symbol, src, count, offset, kind, true, operation);
             });
}

cudaError_t cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t *node, cudaGraph_t graph,
                                             const cudaGraphNode_t *dependencies,
                                             size_t numDependencies, void *dst, const void *symbol,
                                             size_t count, size_t offset, cudaMemcpyKind kind) {
  return add(node, graph, dependencies, nullptr, numDependencies,
             [&](Device &device, OperationPointer &operation) {
               return makeCopySymbol(device, symbol, dst, count, offset, kind, false, operation);
             });
}

cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                   const cudaGraphNode_t *dependencies, size_t numDependencies,
                                   const cudaMemsetParams *params) {
  return add(node, graph, dependencies, nullptr, numDependencies,
             [&](Device &device, OperationPointer &operation) {
               return makeFill(device, params, operation);
             });
}

cudaError_t cudaGraphAddHostNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                 const cudaGraphNode_t *dependencies, size_t numDependencies,
                                 const cudaHostNodeParams *params) {
  return add(node, graph, dependencies, nullptr, numDependencies,
             [&](Device &device, OperationPointer &operation) {
               return makeHost(device, params, operation);
             });
}

cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                       const cudaGraphNode_t *dependencies, size_t numDependencies,
                                       cudaGraph_t childGraph) {
  return addChild(node, graph, dependencies, nullptr, numDependencies, childGraph);
}

cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                  const cudaGraphNode_t *dependencies, size_t numDependencies) {
  return add(node, graph, dependencies, nullptr, numDependencies,
             [&](Device &device, OperationPointer &operation) {
               operation = std::make_shared<EmptyOperation>(device);
               return cudaSuccess;
             });
}

cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                        const cudaGraphNode_t *dependencies, size_t numDependencies,
                                        cudaEvent_t event) {
  return add(
      node, graph, dependencies, nullptr, numDependencies,
      [&](Device &, OperationPointer &operation) { return makeEvent(event, true, operation); });
}

cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                      const cudaGraphNode_t *dependencies, size_t numDependencies,
                                      cudaEvent_t event) {
  return add(
      node, graph, dependencies, nullptr, numDependencies,
      [&](Device &, OperationPointer &operation) { return makeEvent(event, false, operation); });
}

cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                     const cudaGraphNode_t *dependencies, size_t numDependencies,
                                     cudaMemAllocNodeParams *params) {
  return addAllocation(node, graph, dependencies, nullptr, numDependencies, params);
}

cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                    const cudaGraphNode_t *dependencies, size_t numDependencies,
                                    void *devPtr) {
  return addFree(node, graph, dependencies, nullptr, numDependencies, devPtr);
}

cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle *handle, cudaGraph_t graph,
                                             unsigned defaultLaunchValue, unsigned flags) {
  return callGraph(graph, [&](Graph &graph) {
    if (!handle || (flags & ~unsigned(cudaGraphCondAssignDefault)))
      return cudaErrorInvalidValue;
    auto condition = std::make_shared<Condition>();
    condition->initial = defaultLaunchValue;
    condition->assigns_initial = flags & cudaGraphCondAssignDefault;
    *handle = reinterpret_cast<cudaGraphConditionalHandle>(&condition->value);
    graph.conditions.push_back(std::move(condition));
    return cudaSuccess;
  });
}

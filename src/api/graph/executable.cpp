// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Graphs are made executable, launched and updated.
#include "device/graph/executable.h"
#include "api/graph/entry.h"

#include <cstdio>

using namespace heddle;
using namespace heddle::api;

namespace {

constexpr unsigned long long known_flags = cudaGraphInstantiateFlagAutoFreeOnLaunch |
                                           cudaGraphInstantiateFlagDeviceLaunch |
                                           cudaGraphInstantiateFlagUseNodePriority;

cudaError_t instantiate(cudaGraphExec_t *handle, cudaGraph_t graph, unsigned long long flags,
                        Executable::Problem &problem) {
  return callDevice([&](Device &device) {
    std::shared_ptr<Graph> found;
    problem = {cudaErrorInvalidValue, cudaGraphInstantiateError, nullptr, ""};
    if (cudaError_t error = findGraph(graph, found))
      return error;
    if (!handle || (flags & ~known_flags))
      return cudaErrorInvalidValue;
    if (cudaError_t error = Capture::checkUnsafe())
      return error;
    constexpr unsigned long long exclusive =
        cudaGraphInstantiateFlagDeviceLaunch | cudaGraphInstantiateFlagAutoFreeOnLaunch;
    if ((flags & exclusive) == exclusive)
      return cudaErrorInvalidValue;
    problem = {};
    std::shared_ptr<Executable> made = Executable::create(device, *found, flags, problem);
    if (!made) {
      fprintf(stderr, "heddle: cannot instantiate this graph: %s\n", problem.sentence.c_str());
      return problem.error;
    }
    *handle = reinterpret_cast<cudaGraphExec_t>(made.get());
    return cudaSuccess;
  });
}

cudaError_t instantiate(cudaGraphExec_t *handle, cudaGraph_t graph, unsigned long long flags) {
  Executable::Problem problem;
  return instantiate(handle, graph, flags, problem);
}

cudaError_t upload(cudaGraphExec_t graph, cudaStream_t handle) {
  return callExecutable(graph, [&](Executable &executable) {
    return callStream(handle, [&](DeviceStream &stream) {
      cudaError_t error = Capture::admit(stream, false);
      return error ? error : executable.upload(stream);
    });
  });
}

cudaError_t instantiateWith(cudaGraphExec_t *handle, cudaGraph_t graph,
                            cudaGraphInstantiateParams *parameters) {
  if (!parameters)
    return call([] { return cudaErrorInvalidValue; });
  constexpr unsigned long long uploads = cudaGraphInstantiateFlagUpload;
  Executable::Problem problem;
  cudaError_t error = instantiate(handle, graph, parameters->flags & ~uploads, problem);
  parameters->result_out = problem.result;
  parameters->errNode_out = handleOf(problem.node);
  return !error && (parameters->flags & uploads) ? upload(*handle, parameters->uploadStream)
                                                 : error;
}

cudaError_t launch(cudaGraphExec_t graph, cudaStream_t handle) {
  return callExecutable(graph, [&](Executable &executable) {
    return callStream(handle, [&](DeviceStream &stream) {
      if (cudaError_t error = Capture::admit(stream, false))
        return error;
      return executable.launch(stream);
    });
  });
}

/// Runs a body with an executable and its own copy of a node of this type.
template <class Body>
cudaError_t callOwnNode(cudaGraphExec_t graph, cudaGraphNode_t handle, Body body) {
  return callExecutable(graph, [&](Executable &executable) {
    NodePointer node;
    if (cudaError_t error = findNode(handle, node))
      return error;
    Node *own = executable.find(*node);
    return own ? body(executable, *own) : cudaErrorInvalidValue;
  });
}

/// Gives a node of an executable the operation that `make(device, operation)` gives.
template <class Make>
cudaError_t replace(cudaGraphExec_t graph, cudaGraphNode_t node, cudaGraphNodeType type,
                    Make make) {
  return callOwnNode(graph, node, [&](Executable &executable, Node &own) {
    OperationPointer operation;
    if (own.type() != type)
      return cudaErrorInvalidValue;
    if (cudaError_t error = make(own.operation->device, operation))
      return error;
    if (!Executable::allows(*own.operation, *operation))
      return cudaErrorInvalidValue;
    executable.replace(own, std::move(operation));
    return cudaSuccess;
  });
}

} // namespace

cudaError_t cudaGraphInstantiate(cudaGraphExec_t *graphExec, cudaGraph_t graph,
                                 unsigned long long flags) {
  return instantiate(graphExec, graph, flags);
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *graphExec, cudaGraph_t graph,
                                          unsigned long long flags) {
  return instantiate(graphExec, graph, flags);
}

cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t *graphExec, cudaGraph_t graph,
                                           cudaGraphInstantiateParams *params) {
  return instantiateWith(graphExec, graph, params);
}

extern "C" HEDDLE_EXPORT cudaError_t cudaGraphInstantiateWithParams_ptsz(
    cudaGraphExec_t *graphExec, cudaGraph_t graph, cudaGraphInstantiateParams *params) {
  return instantiateWith(graphExec, graph, params);
}

HEDDLE_STREAM_CALL(cudaGraphLaunch, (cudaGraphExec_t graphExec, cudaStream_t stream),
                   launch(graphExec, stream))
HEDDLE_STREAM_CALL(cudaGraphUpload, (cudaGraphExec_t graphExec, cudaStream_t stream),
                   upload(graphExec, stream))

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t graphExec) {
  return callPlatform([&](Platform &) {
    // Launches under way keep what they need.
    return Executable::handles().remove(graphExec) ? cudaSuccess : cudaErrorInvalidValue;
  });
}

cudaError_t cudaGraphExecGetFlags(cudaGraphExec_t graphExec, unsigned long long *flags) {
  return callExecutable(graphExec, [&](Executable &executable) {
    if (!flags)
      return cudaErrorInvalidValue;
    *flags = executable.flags;
    return cudaSuccess;
  });
}

cudaError_t cudaGraphExecUpdate(cudaGraphExec_t graphExec, cudaGraph_t graph,
                                cudaGraphExecUpdateResultInfo *result) {
  return callExecutable(graphExec, [&](Executable &executable) {
    std::shared_ptr<Graph> found;
    if (!result)
      return cudaErrorInvalidValue;
    *result = {cudaGraphExecUpdateError, nullptr, nullptr};
    cudaError_t error = findGraph(graph, found);
    return error ? error : executable.update(*found, *result);
  });
}

cudaError_t cudaGraphExecNodeSetParams(cudaGraphExec_t graphExec, cudaGraphNode_t node,
                                       cudaGraphNodeParams *params) {
  if (!params)
    return call([] { return cudaErrorInvalidValue; });
  if (params->type == cudaGraphNodeTypeGraph)
    return cudaGraphExecChildGraphNodeSetParams(graphExec, node, params->graph.graph);
  return replace(graphExec, node, params->type, [&](Device &device, OperationPointer &operation) {
    return make(device, *params, operation);
  });
}

cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t graphExec, cudaGraphNode_t node,
                                             const cudaKernelNodeParams *params) {
  return replace(graphExec, node, cudaGraphNodeTypeKernel,
                 [&](Device &device, OperationPointer &operation) {
                   return makeKernel(device, params, operation);
                 });
}

cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t graphExec, cudaGraphNode_t node,
                                             const cudaMemcpy3DParms *params) {
  return replace(graphExec, node, cudaGraphNodeTypeMemcpy,
                 [&](Device &device, OperationPointer &operation) {
                   return makeCopy(device, params, operation);
                 });
}

cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t graphExec, cudaGraphNode_t node,
                                               void *dst, const void *src, size_t count,
                                               cudaMemcpyKind kind) {
  return replace(graphExec, node, cudaGraphNodeTypeMemcpy,
                 [&](Device &device, OperationPointer &operation) {
                   return makeCopy1D(device, dst, src, count, kind, operation);
                 });
}

cudaError_t cudaGraphExecMemcpyNodeSetParamsToSymbol(cudaGraphExec_t graphExec,
                                                     cudaGraphNode_t node, const void *symbol,
                                                     const void *src, size_t count, size_t offset,
                                                     cudaMemcpyKind kind) {
  return replace(graphExec, node, cudaGraphNodeTypeMemcpy,
                 [&](Device &device, OperationPointer &operation) {
                   return makeCopySymbol(device, symbol, src, count, offset, kind, true, operation);
                 });
}

cudaError_t cudaGraphExecMemcpyNodeSetParamsFromSymbol(cudaGraphExec_t graphExec,
                                                       cudaGraphNode_t node, void *dst,
                                                       const void *symbol, size_t count,
                                                       size_t offset, cudaMemcpyKind kind) {
  return replace(
      graphExec, node, cudaGraphNodeTypeMemcpy, [&](Device &device, OperationPointer &operation) {
        return makeCopySymbol(device, symbol, dst, count, offset, kind, false, operation);
      });
}

cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t graphExec, cudaGraphNode_t node,
                                             const cudaMemsetParams *params) {
  return replace(graphExec, node, cudaGraphNodeTypeMemset,
                 [&](Device &device, OperationPointer &operation) {
                   return makeFill(device, params, operation);
                 });
}

cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t graphExec, cudaGraphNode_t node,
                                           const cudaHostNodeParams *params) {
  return replace(graphExec, node, cudaGraphNodeTypeHost,
                 [&](Device &device, OperationPointer &operation) {
                   return makeHost(device, params, operation);
                 });
}

cudaError_t cudaGraphExecEventRecordNodeSetEvent(cudaGraphExec_t graphExec, cudaGraphNode_t node,
                                                 cudaEvent_t event) {
  return replace(
      graphExec, node, cudaGraphNodeTypeEventRecord,
      [&](Device &, OperationPointer &operation) { return makeEvent(event, true, operation); });
}

cudaError_t cudaGraphExecEventWaitNodeSetEvent(cudaGraphExec_t graphExec, cudaGraphNode_t node,
                                               cudaEvent_t event) {
  return replace(
      graphExec, node, cudaGraphNodeTypeWaitEvent,
      [&](Device &, OperationPointer &operation) { return makeEvent(event, false, operation); });
}

cudaError_t cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t graphExec, cudaGraphNode_t node,
                                                 cudaGraph_t childGraph) {
  return callOwnNode(graphExec, node, [&](Executable &executable, Node &own) {
    std::shared_ptr<Graph> found;
    if (own.type() != cudaGraphNodeTypeGraph)
      return cudaErrorInvalidValue;
    cudaError_t error = findGraph(childGraph, found);
    return error ? error : executable.updateChild(own, *found);
  });
}

namespace {

bool canBeDisabled(const Node &node) {
  return node.type() == cudaGraphNodeTypeKernel || node.type() == cudaGraphNodeTypeMemset ||
         node.type() == cudaGraphNodeTypeMemcpy;
}

} // namespace

cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t graphExec, cudaGraphNode_t node,
                                    unsigned isEnabled) {
  return callOwnNode(graphExec, node, [&](Executable &executable, Node &own) {
    if (!canBeDisabled(own))
      return cudaErrorInvalidValue;
    executable.enable(own, isEnabled != 0);
    return cudaSuccess;
  });
}

cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t graphExec, cudaGraphNode_t node,
                                    unsigned *isEnabled) {
  return callOwnNode(graphExec, node, [&](Executable &, Node &own) {
    if (!canBeDisabled(own) || !isEnabled)
      return cudaErrorInvalidValue;
    *isEnabled = own.enabled;
    return cudaSuccess;
  });
}

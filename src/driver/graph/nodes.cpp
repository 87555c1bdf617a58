// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nodes of graphs: the runtime's, with the driver API's descriptions of what they do.
#include "driver/copy.h"
#include "driver/graph/memory_operations.h"

#include <cstring>

using namespace heddle;
using namespace heddle::driver;

namespace {

/// A context that a program names in a description; null stands for the current one.
bool known(CUcontext context) { return !context || Context::handles().find(context); }

template <class Description>
bool convert(const Description &from, CUkernel kernel, cudaKernelNodeParams &to) {
  void *function = from.func ? static_cast<void *>(from.func) : static_cast<void *>(kernel);
  to = {function,
        dim3(from.gridDimX, from.gridDimY, from.gridDimZ),
        dim3(from.blockDimX, from.blockDimY, from.blockDimZ),
        from.sharedMemBytes,
        from.kernelParams,
        from.extra};
  return !(from.kernelParams && from.extra);
}

/// Runs a body with the runtime's description of a kernel node.
template <class Body> CUresult withKernel(const CUDA_KERNEL_NODE_PARAMS *parameters, Body body) {
  return callContext([&](Context &) -> CUresult {
    cudaKernelNodeParams converted;
    if (!parameters || !convert(*parameters, parameters->kern, converted))
      return CUDA_ERROR_INVALID_VALUE;
    if (!known(parameters->ctx))
      return CUDA_ERROR_INVALID_CONTEXT;
    return result(body(&converted));
  });
}

template <class Body> CUresult withCopy(const CUDA_MEMCPY3D *copy, CUcontext context, Body body) {
  return callContext([&](Context &) -> CUresult {
    cudaMemcpy3DParms converted;
    if (!copy)
      return CUDA_ERROR_INVALID_VALUE;
    if (!known(context))
      return CUDA_ERROR_INVALID_CONTEXT;
    if (const cudaError_t error = runtimeCopy(*copy, converted))
      return result(error);
    return result(body(&converted));
  });
}

template <class Body>
CUresult withFill(const CUDA_MEMSET_NODE_PARAMS *parameters, CUcontext context, Body body) {
  return callContext([&](Context &) -> CUresult {
    if (!known(context))
      return CUDA_ERROR_INVALID_CONTEXT;
    return result(body(as<const cudaMemsetParams>(parameters)));
  });
}

/// The runtime's description of any node but one of stream memory operations.
CUresult convertAny(CUgraphNodeParams &from, cudaGraphNodeParams &to) {
  static_assert(sizeof from == sizeof to);
  memcpy(&to, &from, sizeof to);
  switch (from.type) {
  case CU_GRAPH_NODE_TYPE_KERNEL: {
    cudaKernelNodeParams kernel;
    if (!convert(from.kernel, from.kernel.kern, kernel))
      return CUDA_ERROR_INVALID_VALUE;
    to.kernel = {kernel.func,           kernel.gridDim,      kernel.blockDim,
                 kernel.sharedMemBytes, kernel.kernelParams, kernel.extra};
    return known(from.kernel.ctx) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
  }
  case CU_GRAPH_NODE_TYPE_MEMCPY:
    to.memcpy = {};
    return result(runtimeCopy(from.memcpy.copyParams, to.memcpy.copyParams));
  case CU_GRAPH_NODE_TYPE_EXT_SEMAS_SIGNAL:
  case CU_GRAPH_NODE_TYPE_EXT_SEMAS_WAIT:
    return notSupported("semaphores of other programming interfaces");
  default: // the same layout, but for a context at the end
    return CUDA_SUCCESS;
  }
}

CUresult addAny(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies,
                const CUgraphEdgeData *data, size_t count, CUgraphNodeParams *parameters) {
  return callContext([&](Context &) -> CUresult {
    CUgraphNodeParams place; // the runtime's have a constructor
    cudaGraphNodeParams &converted = *as<cudaGraphNodeParams>(&place);
    if (!parameters)
      return CUDA_ERROR_INVALID_VALUE;
    if (parameters->type == CU_GRAPH_NODE_TYPE_BATCH_MEM_OP)
      return data ? CUDA_ERROR_INVALID_VALUE
                  : cuGraphAddBatchMemOpNode(
                        node, graph, dependencies, count,
                        as<const CUDA_BATCH_MEM_OP_NODE_PARAMS>(&parameters->memOp));
    if (const CUresult error = convertAny(*parameters, converted))
      return error;
    const cudaError_t error = cudaGraphAddNode_v2(
        node, graph, dependencies, as<const cudaGraphEdgeData>(data), count, &converted);
    // Answers.
    if (parameters->type == CU_GRAPH_NODE_TYPE_MEM_ALLOC)
      parameters->alloc.dptr = reinterpret_cast<CUdeviceptr>(converted.alloc.dptr);
    else if (parameters->type == CU_GRAPH_NODE_TYPE_CONDITIONAL)
      parameters->conditional.phGraph_out = converted.conditional.phGraph_out;
    return result(error);
  });
}

/// Gives a node of a graph, or of an executable, what it does.
template <class Own, class Set> CUresult setAny(CUgraphNodeParams *parameters, Own own, Set set) {
  return callContext([&](Context &) -> CUresult {
    CUgraphNodeParams place; // the runtime's have a constructor
    cudaGraphNodeParams &converted = *as<cudaGraphNodeParams>(&place);
    if (!parameters)
      return CUDA_ERROR_INVALID_VALUE;
    if (parameters->type == CU_GRAPH_NODE_TYPE_BATCH_MEM_OP)
      return own(as<const CUDA_BATCH_MEM_OP_NODE_PARAMS>(&parameters->memOp));
    if (const CUresult error = convertAny(*parameters, converted))
      return error;
    return result(set(&converted));
  });
}

} // namespace

CUresult cuGraphAddNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies,
                        size_t numDependencies, CUgraphNodeParams *parameters) {
  return addAny(node, graph, dependencies, nullptr, numDependencies, parameters);
}

CUresult cuGraphAddNode_v2(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies,
                           const CUgraphEdgeData *dependencyData, size_t numDependencies,
                           CUgraphNodeParams *parameters) {
  return addAny(node, graph, dependencies, dependencyData, numDependencies, parameters);
}

CUresult cuGraphNodeSetParams(CUgraphNode node, CUgraphNodeParams *parameters) {
  return setAny(
      parameters, [&](const auto *list) { return cuGraphBatchMemOpNodeSetParams(node, list); },
      [&](cudaGraphNodeParams *converted) { return cudaGraphNodeSetParams(node, converted); });
}

CUresult cuGraphExecNodeSetParams(CUgraphExec executable, CUgraphNode node,
                                  CUgraphNodeParams *parameters) {
  return setAny(
      parameters,
      [&](const auto *list) { return cuGraphExecBatchMemOpNodeSetParams(executable, node, list); },
      [&](cudaGraphNodeParams *converted) {
        return cudaGraphExecNodeSetParams(executable, node, converted);
      });
}

// ---- Kernels ------------------------------------------------------------------------------------

CUresult cuGraphAddKernelNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies,
                              size_t numDependencies, const CUDA_KERNEL_NODE_PARAMS *parameters) {
  return withKernel(parameters, [&](const cudaKernelNodeParams *converted) {
    return cudaGraphAddKernelNode(node, graph, dependencies, numDependencies, converted);
  });
}

CUresult cuGraphKernelNodeGetParams(CUgraphNode node, CUDA_KERNEL_NODE_PARAMS *parameters) {
  return call([&] {
    cudaKernelNodeParams found;
    if (!parameters)
      return cudaErrorInvalidValue;
    if (cudaError_t error = cudaGraphKernelNodeGetParams(node, &found))
      return error;
    *parameters = {static_cast<CUfunction>(found.func),
                   found.gridDim.x,
                   found.gridDim.y,
                   found.gridDim.z,
                   found.blockDim.x,
                   found.blockDim.y,
                   found.blockDim.z,
                   found.sharedMemBytes,
                   found.kernelParams,
                   found.extra,
                   nullptr,
                   driver::handleOf(Context::current().get())};
    return cudaSuccess;
  });
}

CUresult cuGraphKernelNodeSetParams(CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS *parameters) {
  return withKernel(parameters, [&](const cudaKernelNodeParams *converted) {
    return cudaGraphKernelNodeSetParams(node, converted);
  });
}

CUresult cuGraphExecKernelNodeSetParams(CUgraphExec executable, CUgraphNode node,
                                        const CUDA_KERNEL_NODE_PARAMS *parameters) {
  return withKernel(parameters, [&](const cudaKernelNodeParams *converted) {
    return cudaGraphExecKernelNodeSetParams(executable, node, converted);
  });
}

CUresult cuGraphKernelNodeCopyAttributes(CUgraphNode to, CUgraphNode from) {
  return call([&] { return cudaGraphKernelNodeCopyAttributes(to, from); });
}

CUresult cuGraphKernelNodeGetAttribute(CUgraphNode node, CUkernelNodeAttrID attribute,
                                       CUkernelNodeAttrValue *value) {
  return call([&] {
    return cudaGraphKernelNodeGetAttribute(node, cudaLaunchAttributeID(attribute),
                                           as<cudaLaunchAttributeValue>(value));
  });
}

CUresult cuGraphKernelNodeSetAttribute(CUgraphNode node, CUkernelNodeAttrID attribute,
                                       const CUkernelNodeAttrValue *value) {
  return call([&] {
    return cudaGraphKernelNodeSetAttribute(node, cudaLaunchAttributeID(attribute),
                                           as<const cudaLaunchAttributeValue>(value));
  });
}

// Before CUDA 12: descriptions without `kern` and `ctx`.
#undef cuGraphAddKernelNode
#undef cuGraphKernelNodeGetParams
#undef cuGraphKernelNodeSetParams
#undef cuGraphExecKernelNodeSetParams
namespace {

CUDA_KERNEL_NODE_PARAMS_v2 newer(const CUDA_KERNEL_NODE_PARAMS_v1 *parameters) {
  CUDA_KERNEL_NODE_PARAMS_v2 converted = {};
  if (parameters)
    memcpy(&converted, parameters, sizeof *parameters);
  return converted;
}

} // namespace
extern "C" {
HEDDLE_EXPORT CUresult cuGraphAddKernelNode(CUgraphNode *node, CUgraph graph,
                                            const CUgraphNode *dependencies, size_t count,
                                            const CUDA_KERNEL_NODE_PARAMS_v1 *parameters) {
  const CUDA_KERNEL_NODE_PARAMS_v2 converted = newer(parameters);
  return cuGraphAddKernelNode_v2(node, graph, dependencies, count,
                                 parameters ? &converted : nullptr);
}
HEDDLE_EXPORT CUresult cuGraphKernelNodeGetParams(CUgraphNode node,
                                                  CUDA_KERNEL_NODE_PARAMS_v1 *parameters) {
  CUDA_KERNEL_NODE_PARAMS_v2 found;
  const CUresult error = cuGraphKernelNodeGetParams_v2(node, parameters ? &found : nullptr);
  if (!error)
    memcpy(parameters, &found, sizeof *parameters);
  return error;
}
HEDDLE_EXPORT CUresult cuGraphKernelNodeSetParams(CUgraphNode node,
                                                  const CUDA_KERNEL_NODE_PARAMS_v1 *parameters) {
  const CUDA_KERNEL_NODE_PARAMS_v2 converted = newer(parameters);
  return cuGraphKernelNodeSetParams_v2(node, parameters ? &converted : nullptr);
}
HEDDLE_EXPORT CUresult cuGraphExecKernelNodeSetParams(
    CUgraphExec executable, CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS_v1 *parameters) {
  const CUDA_KERNEL_NODE_PARAMS_v2 converted = newer(parameters);
  return cuGraphExecKernelNodeSetParams_v2(executable, node, parameters ? &converted : nullptr);
}
}

// ---- Copies and fills ---------------------------------------------------------------------------

CUresult cuGraphAddMemcpyNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies,
                              size_t numDependencies, const CUDA_MEMCPY3D *copy,
                              CUcontext context) {
  return withCopy(copy, context, [&](const cudaMemcpy3DParms *converted) {
    return cudaGraphAddMemcpyNode(node, graph, dependencies, numDependencies, converted);
  });
}

CUresult cuGraphMemcpyNodeGetParams(CUgraphNode node, CUDA_MEMCPY3D *copy) {
  return call([&] {
    cudaMemcpy3DParms found;
    if (!copy)
      return cudaErrorInvalidValue;
    if (cudaError_t error = cudaGraphMemcpyNodeGetParams(node, &found))
      return error;
    driverCopy(found, *copy);
    return cudaSuccess;
  });
}

CUresult cuGraphMemcpyNodeSetParams(CUgraphNode node, const CUDA_MEMCPY3D *copy) {
  return withCopy(copy, nullptr, [&](const cudaMemcpy3DParms *converted) {
    return cudaGraphMemcpyNodeSetParams(node, converted);
  });
}

CUresult cuGraphExecMemcpyNodeSetParams(CUgraphExec executable, CUgraphNode node,
                                        const CUDA_MEMCPY3D *copy, CUcontext context) {
  return withCopy(copy, context, [&](const cudaMemcpy3DParms *converted) {
    return cudaGraphExecMemcpyNodeSetParams(executable, node, converted);
  });
}

CUresult cuGraphAddMemsetNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies,
                              size_t numDependencies, const CUDA_MEMSET_NODE_PARAMS *parameters,
                              CUcontext context) {
  return withFill(parameters, context, [&](const cudaMemsetParams *converted) {
    return cudaGraphAddMemsetNode(node, graph, dependencies, numDependencies, converted);
  });
}

CUresult cuGraphMemsetNodeGetParams(CUgraphNode node, CUDA_MEMSET_NODE_PARAMS *parameters) {
  return call([&] { return cudaGraphMemsetNodeGetParams(node, as<cudaMemsetParams>(parameters)); });
}

CUresult cuGraphMemsetNodeSetParams(CUgraphNode node, const CUDA_MEMSET_NODE_PARAMS *parameters) {
  return withFill(parameters, nullptr, [&](const cudaMemsetParams *converted) {
    return cudaGraphMemsetNodeSetParams(node, converted);
  });
}

CUresult cuGraphExecMemsetNodeSetParams(CUgraphExec executable, CUgraphNode node,
                                        const CUDA_MEMSET_NODE_PARAMS *parameters,
                                        CUcontext context) {
  return withFill(parameters, context, [&](const cudaMemsetParams *converted) {
    return cudaGraphExecMemsetNodeSetParams(executable, node, converted);
  });
}

// ---- Host functions, graphs, events, memory -----------------------------------------------------

CUresult cuGraphAddHostNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies,
                            size_t numDependencies, const CUDA_HOST_NODE_PARAMS *parameters) {
  return callContext([&] {
    return cudaGraphAddHostNode(node, graph, dependencies, numDependencies,
                                as<const cudaHostNodeParams>(parameters));
  });
}

CUresult cuGraphHostNodeGetParams(CUgraphNode node, CUDA_HOST_NODE_PARAMS *parameters) {
  return call([&] { return cudaGraphHostNodeGetParams(node, as<cudaHostNodeParams>(parameters)); });
}

CUresult cuGraphHostNodeSetParams(CUgraphNode node, const CUDA_HOST_NODE_PARAMS *parameters) {
  return call(
      [&] { return cudaGraphHostNodeSetParams(node, as<const cudaHostNodeParams>(parameters)); });
}

CUresult cuGraphExecHostNodeSetParams(CUgraphExec executable, CUgraphNode node,
                                      const CUDA_HOST_NODE_PARAMS *parameters) {
  return call([&] {
    return cudaGraphExecHostNodeSetParams(executable, node,
                                          as<const cudaHostNodeParams>(parameters));
  });
}

CUresult cuGraphAddChildGraphNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies,
                                  size_t numDependencies, CUgraph child) {
  return callContext([&] {
    return cudaGraphAddChildGraphNode(node, graph, dependencies, numDependencies, child);
  });
}

CUresult cuGraphChildGraphNodeGetGraph(CUgraphNode node, CUgraph *graph) {
  return call([&] { return cudaGraphChildGraphNodeGetGraph(node, graph); });
}

CUresult cuGraphExecChildGraphNodeSetParams(CUgraphExec executable, CUgraphNode node,
                                            CUgraph child) {
  return call([&] { return cudaGraphExecChildGraphNodeSetParams(executable, node, child); });
}

CUresult cuGraphAddEmptyNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies,
                             size_t numDependencies) {
  return callContext(
      [&] { return cudaGraphAddEmptyNode(node, graph, dependencies, numDependencies); });
}

CUresult cuGraphAddEventRecordNode(CUgraphNode *node, CUgraph graph,
                                   const CUgraphNode *dependencies, size_t numDependencies,
                                   CUevent event) {
  return callContext([&] {
    return cudaGraphAddEventRecordNode(node, graph, dependencies, numDependencies, event);
  });
}

CUresult cuGraphAddEventWaitNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies,
                                 size_t numDependencies, CUevent event) {
  return callContext(
      [&] { return cudaGraphAddEventWaitNode(node, graph, dependencies, numDependencies, event); });
}

CUresult cuGraphEventRecordNodeGetEvent(CUgraphNode node, CUevent *event) {
  return call([&] { return cudaGraphEventRecordNodeGetEvent(node, event); });
}
CUresult cuGraphEventRecordNodeSetEvent(CUgraphNode node, CUevent event) {
  return call([&] { return cudaGraphEventRecordNodeSetEvent(node, event); });
}
CUresult cuGraphEventWaitNodeGetEvent(CUgraphNode node, CUevent *event) {
  return call([&] { return cudaGraphEventWaitNodeGetEvent(node, event); });
}
CUresult cuGraphEventWaitNodeSetEvent(CUgraphNode node, CUevent event) {
  return call([&] { return cudaGraphEventWaitNodeSetEvent(node, event); });
}
CUresult cuGraphExecEventRecordNodeSetEvent(CUgraphExec executable, CUgraphNode node,
                                            CUevent event) {
  return call([&] { return cudaGraphExecEventRecordNodeSetEvent(executable, node, event); });
}
CUresult cuGraphExecEventWaitNodeSetEvent(CUgraphExec executable, CUgraphNode node, CUevent event) {
  return call([&] { return cudaGraphExecEventWaitNodeSetEvent(executable, node, event); });
}

CUresult cuGraphAddMemAllocNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies,
                                size_t numDependencies, CUDA_MEM_ALLOC_NODE_PARAMS *parameters) {
  return callContext([&] {
    return cudaGraphAddMemAllocNode(node, graph, dependencies, numDependencies,
                                    as<cudaMemAllocNodeParams>(parameters));
  });
}

CUresult cuGraphMemAllocNodeGetParams(CUgraphNode node, CUDA_MEM_ALLOC_NODE_PARAMS *parameters) {
  return call(
      [&] { return cudaGraphMemAllocNodeGetParams(node, as<cudaMemAllocNodeParams>(parameters)); });
}

CUresult cuGraphAddMemFreeNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies,
                               size_t numDependencies, CUdeviceptr pointer) {
  return callContext([&] {
    return cudaGraphAddMemFreeNode(node, graph, dependencies, numDependencies, at(pointer));
  });
}

CUresult cuGraphMemFreeNodeGetParams(CUgraphNode node, CUdeviceptr *pointer) {
  return call([&] { return cudaGraphMemFreeNodeGetParams(node, pointer); });
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a node of any type does, as one structure: cudaGraphNodeGetParams.
#include "api/graph/entry.h"
#include "device/graph/operations.h"

using namespace heddle;
using namespace heddle::api;

namespace {

cudaError_t tellKernel(cudaGraphNode_t node, cudaKernelNodeParamsV2 &to) {
  cudaKernelNodeParams kernel{};
  const cudaError_t error = cudaGraphKernelNodeGetParams(node, &kernel);
  to = {kernel.func,           kernel.gridDim,      kernel.blockDim,
        kernel.sharedMemBytes, kernel.kernelParams, kernel.extra};
  return error;
}

cudaError_t tellFill(cudaGraphNode_t node, cudaMemsetParamsV2 &to) {
  cudaMemsetParams fill{};
  const cudaError_t error = cudaGraphMemsetNodeGetParams(node, &fill);
  to = {fill.dst, fill.pitch, fill.value, fill.elementSize, fill.width, fill.height};
  return error;
}

cudaError_t tellHost(cudaGraphNode_t node, cudaHostNodeParamsV2 &to) {
  cudaHostNodeParams host{};
  const cudaError_t error = cudaGraphHostNodeGetParams(node, &host);
  to = {host.fn, host.userData};
  return error;
}

cudaError_t tellAllocation(cudaGraphNode_t node, cudaMemAllocNodeParamsV2 &to) {
  cudaMemAllocNodeParams found{};
  const cudaError_t error = cudaGraphMemAllocNodeGetParams(node, &found);
  to = {found.poolProps, found.accessDescs, found.accessDescCount, found.bytesize, found.dptr};
  return error;
}

/// The graphs are in memory of the node's.
cudaError_t tellCondition(cudaGraphNode_t handle, cudaConditionalNodeParams &to) {
  return callNode(handle, [&](Node &node) {
    const auto &operation = static_cast<const ConditionalOperation &>(*node.operation);
    to = {reinterpret_cast<cudaGraphConditionalHandle>(&operation.condition->value), operation.kind,
          unsigned(node.bodies.size()), node.told_bodies.data()};
    return cudaSuccess;
  });
}

cudaError_t tell(cudaGraphNode_t node, cudaGraphNodeParams &to) {
  switch (to.type) {
  case cudaGraphNodeTypeKernel:
    return tellKernel(node, to.kernel);
  case cudaGraphNodeTypeMemcpy:
    return cudaGraphMemcpyNodeGetParams(node, &to.memcpy.copyParams);
  case cudaGraphNodeTypeMemset:
    return tellFill(node, to.memset);
  case cudaGraphNodeTypeHost:
    return tellHost(node, to.host);
  case cudaGraphNodeTypeGraph:
    return cudaGraphChildGraphNodeGetGraph(node, &to.graph.graph);
  case cudaGraphNodeTypeEmpty:
    return cudaSuccess;
  case cudaGraphNodeTypeWaitEvent:
    return cudaGraphEventWaitNodeGetEvent(node, &to.eventWait.event);
  case cudaGraphNodeTypeEventRecord:
    return cudaGraphEventRecordNodeGetEvent(node, &to.eventRecord.event);
  case cudaGraphNodeTypeMemAlloc:
    return tellAllocation(node, to.alloc);
  case cudaGraphNodeTypeMemFree:
    return cudaGraphMemFreeNodeGetParams(node, &to.free.dptr);
  case cudaGraphNodeTypeConditional:
    return tellCondition(node, to.conditional);
  default: // the driver's memory operations have a function of their own
    return cudaErrorNotSupported;
  }
}

} // namespace

cudaError_t cudaGraphNodeGetParams(cudaGraphNode_t node, cudaGraphNodeParams *params) {
  return call([&] {
    if (!params)
      return cudaErrorInvalidValue;
    cudaGraphNodeType type;
    if (const cudaError_t error = cudaGraphNodeGetType(node, &type))
      return error;
    cudaGraphNodeParams found{};
    found.type = type;
    if (const cudaError_t error = tell(node, found))
      return error;
    *params = found;
    return cudaSuccess;
  });
}

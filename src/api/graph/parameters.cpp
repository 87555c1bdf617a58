// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the nodes of a graph do: asked and changed.
#include "api/graph/entry.h"
#include "device/graph/device_node.h"
#include "device/memory/copy.h"

using namespace heddle;
using namespace heddle::api;

namespace {

/// Runs a body with a node of this type and its operation.
template <class Kind, class Body>
cudaError_t ask(cudaGraphNode_t handle, cudaGraphNodeType type, Body body) {
  return callNode(handle, [&](Node &node) {
    if (node.type() != type)
      return cudaErrorInvalidValue;
    return body(node, static_cast<const Kind &>(*node.operation));
  });
}

/// Gives a node of this type the operation that `make(device, operation)` gives.
template <class Make> cudaError_t set(cudaGraphNode_t handle, cudaGraphNodeType type, Make make) {
  return callNode(handle, [&](Node &node) {
    OperationPointer operation;
    if (node.type() != type)
      return cudaErrorInvalidValue;
    if (cudaError_t error = make(node.operation->device, operation))
      return error;
    node.operation = std::move(operation);
    return cudaSuccess;
  });
}

/// A node that kernels change stays one.
cudaError_t makeUpdatable(Node &node, int updatable) {
  if (updatable != 1)
    return cudaErrorInvalidValue;
  if (!node.device_node)
    node.device_node = DeviceNode::create();
  return cudaSuccess;
}

} // namespace

cudaError_t cudaGraphNodeSetParams(cudaGraphNode_t node, cudaGraphNodeParams *params) {
  if (!params)
    return call([] { return cudaErrorInvalidValue; });
  return set(node, params->type, [&](Device &device, OperationPointer &operation) {
    return make(device, *params, operation);
  });
}

// ---- Kernels ------------------------------------------------------------------------------------

cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node, cudaKernelNodeParams *params) {
  return ask<KernelOperation>(
      node, cudaGraphNodeTypeKernel, [&](Node &node, const KernelOperation &kernel) {
        if (!params)
          return cudaErrorInvalidValue;
        const engine::Dim3 &grid = kernel.launch.grid, &block = kernel.launch.block;
        node.told_arguments = kernel.arguments();
        *params = {const_cast<void *>(kernel.function),
                   dim3(grid.x, grid.y, grid.z),
                   dim3(block.x, block.y, block.z),
                   kernel.launch.dynamic_shared_bytes,
                   node.told_arguments.empty() ? nullptr : node.told_arguments.data(),
                   nullptr};
        return cudaSuccess;
      });
}

cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node, const cudaKernelNodeParams *params) {
  return set(node, cudaGraphNodeTypeKernel, [&](Device &device, OperationPointer &operation) {
    return makeKernel(device, params, operation);
  });
}

cudaError_t cudaGraphKernelNodeCopyAttributes(cudaGraphNode_t dst, cudaGraphNode_t src) {
  return callNode(src, [&](Node &from) {
    NodePointer to;
    if (cudaError_t error = findNode(dst, to))
      return error;
    if (from.type() != cudaGraphNodeTypeKernel || to->type() != cudaGraphNodeTypeKernel)
      return cudaErrorInvalidValue;
    if (from.device_node || to->device_node)
      return cudaErrorInvalidValue;
    to->attributes = from.attributes;
    return cudaSuccess;
  });
}

cudaError_t cudaGraphKernelNodeGetAttribute(cudaGraphNode_t node, cudaLaunchAttributeID attr,
                                            cudaLaunchAttributeValue *value) {
  return ask<KernelOperation>(
      node, cudaGraphNodeTypeKernel, [&](Node &node, const KernelOperation &kernel) {
        if (!value || !Node::knowsAttribute(attr))
          return cudaErrorInvalidValue;
        *value = {};
        if (auto it = node.attributes.find(attr); it != node.attributes.end())
          *value = it->second;
        else if (attr == cudaLaunchAttributeCooperative)
          value->cooperative = kernel.launch.cooperative;
        else if (attr == cudaLaunchAttributeMemSyncDomainMap)
          value->memSyncDomainMap = {0, 1};
        else if (attr == cudaLaunchAttributeDeviceUpdatableKernelNode && node.device_node)
          value->deviceUpdatableKernelNode = {1, node.device_node->handle()};
        return cudaSuccess;
      });
}

cudaError_t cudaGraphKernelNodeSetAttribute(cudaGraphNode_t node, cudaLaunchAttributeID attr,
                                            const cudaLaunchAttributeValue *value) {
  return ask<KernelOperation>(
      node, cudaGraphNodeTypeKernel, [&](Node &node, const KernelOperation &kernel) {
        if (!value || !Node::knowsAttribute(attr))
          return cudaErrorInvalidValue;
        if (attr == cudaLaunchAttributeDeviceUpdatableKernelNode)
          return makeUpdatable(node, value->deviceUpdatableKernelNode.deviceUpdatable);
        if (attr == cudaLaunchAttributeClusterDimension &&
            value->clusterDim.x * value->clusterDim.y * value->clusterDim.z > 1)
          return notSupported("thread block clusters in graphs");
        if (attr == cudaLaunchAttributeCooperative) {
          OperationPointer changed;
          if (cudaError_t error = withCooperation(kernel, value->cooperative, changed))
            return error;
          node.operation = std::move(changed);
        }
        node.attributes[attr] = *value;
        return cudaSuccess;
      });
}

// ---- Copies and fills ---------------------------------------------------------------------------

cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t node, cudaMemcpy3DParms *params) {
  return ask<CopyOperation>(node, cudaGraphNodeTypeMemcpy, [&](Node &, const CopyOperation &copy) {
    if (!params)
      return cudaErrorInvalidValue;
    *params = copy.parameters;
    return cudaSuccess;
  });
}

cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t node, const cudaMemcpy3DParms *params) {
  return set(node, cudaGraphNodeTypeMemcpy, [&](Device &device, OperationPointer &operation) {
    return makeCopy(device, params, operation);
  });
}

cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void *dst, const void *src,
                                           size_t count, cudaMemcpyKind kind) {
  return set(node, cudaGraphNodeTypeMemcpy, [&](Device &device, OperationPointer &operation) {
    return makeCopy1D(device, dst, src, count, kind, operation);
  });
}

cudaError_t cudaGraphMemcpyNodeSetParamsToSymbol(cudaGraphNode_t node, const void *symbol,
                                                 const void *src, size_t count, size_t offset,
                                                 cudaMemcpyKind kind) {
  return set(node, cudaGraphNodeTypeMemcpy, [&](Device &device, OperationPointer &operation) {
    return makeCopySymbol(device, symbol, src, count, offset, kind, true, operation);
  });
}

cudaError_t cudaGraphMemcpyNodeSetParamsFromSymbol(cudaGraphNode_t node, void *dst,
                                                   const void *symbol, size_t count, size_t offset,
                                                   cudaMemcpyKind kind) {
  return set(node, cudaGraphNodeTypeMemcpy, [&](Device &device, OperationPointer &operation) {
    return makeCopySymbol(device, symbol, dst, count, offset, kind, false, operation);
  });
}

cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t node, cudaMemsetParams *params) {
  return ask<FillOperation>(node, cudaGraphNodeTypeMemset, [&](Node &, const FillOperation &fill) {
    if (!params)
      return cudaErrorInvalidValue;
    *params = fill.parameters;
    return cudaSuccess;
  });
}

cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t node, const cudaMemsetParams *params) {
  return set(node, cudaGraphNodeTypeMemset, [&](Device &device, OperationPointer &operation) {
    return makeFill(device, params, operation);
  });
}

// ---- Host functions, graphs, events -------------------------------------------------------------

cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t node, cudaHostNodeParams *params) {
  return ask<HostOperation>(node, cudaGraphNodeTypeHost, [&](Node &, const HostOperation &host) {
    if (!params)
      return cudaErrorInvalidValue;
    *params = {host.function, host.data};
    return cudaSuccess;
  });
}

cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t node, const cudaHostNodeParams *params) {
  return set(node, cudaGraphNodeTypeHost, [&](Device &device, OperationPointer &operation) {
    return makeHost(device, params, operation);
  });
}

cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t node, cudaGraph_t *graph) {
  return ask<Operation>(node, cudaGraphNodeTypeGraph, [&](Node &node, const Operation &) {
    if (!graph)
      return cudaErrorInvalidValue;
    *graph = handleOf(node.bodies.front().get());
    return cudaSuccess;
  });
}

namespace {

cudaError_t getEvent(cudaGraphNode_t node, cudaGraphNodeType type, cudaEvent_t *event) {
  return ask<EventOperation>(node, type, [&](Node &, const EventOperation &operation) {
    if (!event)
      return cudaErrorInvalidValue;
    *event = reinterpret_cast<cudaEvent_t>(operation.event.get());
    return cudaSuccess;
  });
}

cudaError_t setEvent(cudaGraphNode_t node, cudaGraphNodeType type, cudaEvent_t event) {
  return set(node, type, [&](Device &, OperationPointer &operation) {
    return makeEvent(event, type == cudaGraphNodeTypeEventRecord, operation);
  });
}

} // namespace

cudaError_t cudaGraphEventRecordNodeGetEvent(cudaGraphNode_t node, cudaEvent_t *event) {
  return getEvent(node, cudaGraphNodeTypeEventRecord, event);
}

cudaError_t cudaGraphEventRecordNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event) {
  return setEvent(node, cudaGraphNodeTypeEventRecord, event);
}

cudaError_t cudaGraphEventWaitNodeGetEvent(cudaGraphNode_t node, cudaEvent_t *event) {
  return getEvent(node, cudaGraphNodeTypeWaitEvent, event);
}

cudaError_t cudaGraphEventWaitNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event) {
  return setEvent(node, cudaGraphNodeTypeWaitEvent, event);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations from the parameters of nodes.
#include "api/graph/entry.h"
#include "api/memory/copy.h"
#include "device/launch.h"

namespace heddle::api {
namespace {

BoxPlace place(const void *pointer, size_t pitch) { return {const_cast<void *>(pointer), pitch}; }

} // namespace

cudaError_t makeKernel(Device &device, const cudaKernelNodeParams *parameters,
                       OperationPointer &operation) {
  if (!parameters)
    return cudaErrorInvalidValue;
  std::shared_ptr<Kernel> kernel;
  if (cudaError_t error = Registry::instance().findKernel(parameters->func, kernel))
    return error;
  const dim3 &grid = parameters->gridDim, &block = parameters->blockDim;
  LaunchRequest request{{grid.x, grid.y, grid.z},
                        {block.x, block.y, block.z},
                        parameters->sharedMemBytes,
                        false,
                        parameters->kernelParams};
  request.function = parameters->func;
  if (parameters->extra) {
    if (parameters->kernelParams)
      return cudaErrorInvalidValue;
    if (cudaError_t error = readExtra(parameters->extra, kernel->info(), request.packed))
      return error;
  }
  std::shared_ptr<KernelOperation> made;
  cudaError_t error = prepareLaunch(device, kernel, request, made);
  operation = std::move(made);
  return error == cudaErrorInvalidConfiguration ? cudaErrorInvalidValue : error;
}

cudaError_t makeCopy(Device &device, const cudaMemcpy3DParms *parameters,
                     OperationPointer &operation) {
  if (!parameters)
    return cudaErrorInvalidValue;
  std::shared_ptr<CopyOperation> made;
  if (cudaError_t error = prepareCopy3D(device, *parameters, made))
    return error;
  made->parameters = *parameters;
  operation = std::move(made);
  return cudaSuccess;
}

cudaError_t makeCopy1D(Device &device, void *to, const void *from, size_t count,
                       cudaMemcpyKind kind, OperationPointer &operation) {
  if (count == 0)
    return cudaErrorInvalidValue;
  std::shared_ptr<CopyOperation> made;
  cudaError_t error =
      prepareCopy(device, place(to, count), place(from, count), {count}, kind, made);
  operation = std::move(made);
  return error;
}

cudaError_t makeCopySymbol(Device &device, const void *symbol, const void *other, size_t count,
                           size_t offset, cudaMemcpyKind kind, bool to_symbol,
                           OperationPointer &operation) {
  void *address = nullptr;
  if (cudaError_t error = symbolPlace(device, symbol, count, offset, kind, to_symbol, address))
    return error;
  return to_symbol ? makeCopy1D(device, address, other, count, kind, operation)
                   : makeCopy1D(device, const_cast<void *>(other), address, count, kind, operation);
}

cudaError_t makeFill(Device &device, const cudaMemsetParams *parameters,
                     OperationPointer &operation) {
  if (!parameters)
    return cudaErrorInvalidValue;
  const unsigned element = parameters->elementSize;
  size_t bytes = 0;
  if ((element != 1 && element != 2 && element != 4) || parameters->width == 0 ||
      parameters->height == 0 || __builtin_mul_overflow(parameters->width, element, &bytes))
    return cudaErrorInvalidValue;
  bool rows = parameters->height > 1;
  if (rows && parameters->pitch % element)
    return cudaErrorInvalidValue;
  std::shared_ptr<FillOperation> made;
  cudaError_t error = prepareFill(device, place(parameters->dst, rows ? parameters->pitch : bytes),
                                  parameters->value, element, {bytes, parameters->height}, made);
  if (made)
    made->parameters = *parameters;
  operation = std::move(made);
  return error;
}

cudaError_t makeHost(Device &device, const cudaHostNodeParams *parameters,
                     OperationPointer &operation) {
  if (!parameters || !parameters->fn)
    return cudaErrorInvalidValue;
  operation = std::make_shared<HostOperation>(device, parameters->fn, parameters->userData);
  return cudaSuccess;
}

cudaError_t makeEvent(cudaEvent_t handle, bool records, OperationPointer &operation) {
  std::shared_ptr<Event> event;
  if (findEvent(handle, event))
    return cudaErrorInvalidValue;
  operation = std::make_shared<EventOperation>(std::move(event), records);
  return cudaSuccess;
}

cudaError_t make(Device &device, const cudaGraphNodeParams &parameters,
                 OperationPointer &operation) {
  switch (parameters.type) {
  case cudaGraphNodeTypeKernel: {
    const cudaKernelNodeParamsV2 &kernel = parameters.kernel;
    cudaKernelNodeParams older{kernel.func,           kernel.gridDim,      kernel.blockDim,
                               kernel.sharedMemBytes, kernel.kernelParams, kernel.extra};
    return makeKernel(device, &older, operation);
  }
  case cudaGraphNodeTypeMemcpy:
    return makeCopy(device, &parameters.memcpy.copyParams, operation);
  case cudaGraphNodeTypeMemset: {
    const cudaMemsetParamsV2 &fill = parameters.memset;
    cudaMemsetParams older{fill.dst,         fill.pitch, fill.value,
                           fill.elementSize, fill.width, fill.height};
    return makeFill(device, &older, operation);
  }
  case cudaGraphNodeTypeHost: {
    cudaHostNodeParams older{parameters.host.fn, parameters.host.userData};
    return makeHost(device, &older, operation);
  }
  case cudaGraphNodeTypeEmpty:
    operation = std::make_shared<EmptyOperation>(device);
    return cudaSuccess;
  case cudaGraphNodeTypeWaitEvent:
    return makeEvent(parameters.eventWait.event, false, operation);
  case cudaGraphNodeTypeEventRecord:
    return makeEvent(parameters.eventRecord.event, true, operation);
  case cudaGraphNodeTypeExtSemaphoreSignal:
  case cudaGraphNodeTypeExtSemaphoreWait:
    return notSupported("external semaphores");
  default:
    return cudaErrorInvalidValue;
  }
}

} // namespace heddle::api

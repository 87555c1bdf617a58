// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernel launches and host functions.
#include "api/launch.h"
#include "device/graph/operations.h"

using namespace heddle;
using namespace heddle::api;

namespace {

LaunchRequest request(dim3 grid, dim3 block, void **arguments, size_t shared, bool cooperative) {
  return {{grid.x, grid.y, grid.z}, {block.x, block.y, block.z}, shared, cooperative, arguments};
}

cudaError_t launchWithAttributes(const cudaLaunchConfig_t *config, const void *func, void **args,
                                 cudaStream_t stream) {
  if (!config || (config->numAttrs && !config->attrs))
    return call([] { return cudaErrorInvalidValue; });
  LaunchRequest what =
      request(config->gridDim, config->blockDim, args, config->dynamicSmemBytes, false);
  const cudaError_t error =
      call([&] { return readAttributes(config->attrs, config->numAttrs, what); });
  return error ? error : launch(func, what, stream);
}

cudaError_t launchHostFunction(cudaStream_t handle, cudaHostFn_t fn, void *userData,
                               const char *library_call = nullptr) {
  return callStream(handle, [&](DeviceStream &stream) {
    if (!fn)
      return cudaErrorInvalidValue;
    return put(stream, std::make_shared<HostOperation>(*stream.device, fn, userData, library_call));
  });
}

} // namespace

cudaError_t api::launch(const void *function, LaunchRequest request, cudaStream_t handle,
                        void **extra) {
  request.function = function;
  return callDevice([&](Device &device) {
    std::shared_ptr<DeviceStream> stream;
    if (cudaError_t error = findStream(handle, stream))
      return error;
    if (stream->device != &device)
      return cudaErrorInvalidResourceHandle;
    std::shared_ptr<Kernel> kernel;
    if (cudaError_t error = Registry::instance().findKernel(function, kernel))
      return error;
    if (extra && request.arguments)
      return cudaErrorInvalidValue;
    if (extra)
      if (cudaError_t error = readExtra(extra, kernel->info(), request.packed))
        return error;
    return launchKernel(device, kernel, *stream, request);
  });
}

cudaError_t api::readAttributes(const cudaLaunchAttribute *attributes, unsigned count,
                                LaunchRequest &request) {
  for (unsigned i = 0; i < count; ++i) {
    const cudaLaunchAttribute &attribute = attributes[i];
    switch (attribute.id) {
    case cudaLaunchAttributeCooperative:
      request.cooperative = attribute.val.cooperative;
      break;
    case cudaLaunchAttributeClusterDimension:
      request.cluster = {attribute.val.clusterDim.x, attribute.val.clusterDim.y,
                         attribute.val.clusterDim.z};
      break;
    case cudaLaunchAttributeProgrammaticEvent:
    case cudaLaunchAttributeLaunchCompletionEvent:
    case cudaLaunchAttributeDeviceUpdatableKernelNode:
      return notSupported("this launch attribute of cudaLaunchKernelExC");
    default: // priorities, cache hints, leave to start early: nothing that changes a result
      break;
    }
  }
  return cudaSuccess;
}

HEDDLE_STREAM_CALL(cudaLaunchKernel,
                   (const void *func, dim3 gridDim, dim3 blockDim, void **args, size_t sharedMem,
                    cudaStream_t stream),
                   launch(func, request(gridDim, blockDim, args, sharedMem, false), stream))

HEDDLE_STREAM_CALL(cudaLaunchCooperativeKernel,
                   (const void *func, dim3 gridDim, dim3 blockDim, void **args, size_t sharedMem,
                    cudaStream_t stream),
                   launch(func, request(gridDim, blockDim, args, sharedMem, true), stream))

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *func, void **args) {
  return launchWithAttributes(config, func, args, config ? config->stream : nullptr);
}

extern "C" HEDDLE_EXPORT cudaError_t cudaLaunchKernelExC_ptsz(const cudaLaunchConfig_t *config,
                                                              const void *func, void **args) {
  cudaStream_t stream = config && config->stream ? config->stream : cudaStreamPerThread;
  return launchWithAttributes(config, func, args, stream);
}

HEDDLE_STREAM_CALL(cudaLaunchHostFunc, (cudaStream_t stream, cudaHostFn_t fn, void *userData),
                   launchHostFunction(stream, fn, userData))

// What Heddle's own libraries do on the host (libraries/common/task.h).
extern "C" HEDDLE_EXPORT cudaError_t __heddleLaunchTask(cudaStream_t stream, cudaHostFn_t function,
                                                        void *data, const char *call) {
  return launchHostFunction(stream, function, data, call);
}

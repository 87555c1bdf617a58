// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernel launches and host functions.
#include "api/launch.h"
#include "device/graph/device_node.h"
#include "device/graph/operations.h"
#include "engine/observe/host_guard.h"
#include "engine/observe/observer.h"

#include <atomic>
#include <generated_cuda_runtime_api_meta.h>

using namespace heddle;
using namespace heddle::api;

namespace {

LaunchRequest request(dim3 grid, dim3 block, void **arguments, size_t shared, bool cooperative) {
  return {{grid.x, grid.y, grid.z}, {block.x, block.y, block.z}, shared, cooperative, arguments};
}

// An observer is told of the kernel before anything is done for it, and of the parameters.
cudaError_t launchPlain(const char *name, const cudaLaunchKernel_v7000_params &call,
                        bool cooperative) {
  const engine::observe::ApiCall this_call(name, call.func, &call);
  const LaunchRequest what =
      request(call.gridDim, call.blockDim, call.args, call.sharedMem, cooperative);
  const cudaError_t error = launch(call.func, what, call.stream);
  noteFailedLaunch(call.func, what, error);
  return error;
}

cudaStream_t orThreads(cudaStream_t stream) { return stream ? stream : cudaStreamPerThread; }

cudaError_t launchWithAttributes(const cudaLaunchConfig_t *config, const void *func, void **args,
                                 cudaStream_t stream) {
  const cudaLaunchKernelExC_v11060_params parameters{config, func, args};
  const engine::observe::ApiCall this_call("cudaLaunchKernelExC", func, &parameters);
  if (!config || (config->numAttrs && !config->attrs))
    return call([] { return cudaErrorInvalidValue; });
  LaunchRequest what =
      request(config->gridDim, config->blockDim, args, config->dynamicSmemBytes, false);
  const cudaError_t error =
      call([&] { return readAttributes(config->attrs, config->numAttrs, what); });
  if (error)
    return error;
  const cudaError_t launched = launch(func, what, stream);
  noteFailedLaunch(func, what, launched);
  return launched;
}

cudaError_t launchHostFunction(cudaStream_t handle, cudaHostFn_t fn, void *userData,
                               const char *library_call = nullptr) {
  return callStream(handle, [&](DeviceStream &stream) {
    if (!fn)
      return cudaErrorInvalidValue;
    return put(stream, std::make_shared<HostOperation>(*stream.device, fn, userData, library_call));
  });
}

/// Of a launch that is captured: what stands for the node on the device is put into the attribute.
cudaError_t readUpdatable(const cudaLaunchAttribute &attribute, LaunchRequest &request) {
  auto &value = const_cast<cudaLaunchAttribute &>(attribute).val.deviceUpdatableKernelNode;
  if (value.deviceUpdatable < 0 || value.deviceUpdatable > 1)
    return cudaErrorInvalidValue;
  if (value.deviceUpdatable == 0)
    return cudaSuccess;
  request.device_node = DeviceNode::create();
  value.devNode = request.device_node->handle();
  return cudaSuccess;
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
      return notSupported("this launch attribute of cudaLaunchKernelExC");
    case cudaLaunchAttributeDeviceUpdatableKernelNode:
      if (const cudaError_t error = readUpdatable(attribute, request))
        return error;
      break;
    default: // priorities, cache hints, leave to start early: nothing that changes a result
      break;
    }
  }
  return cudaSuccess;
}

cudaError_t cudaLaunchKernel(const void *func, dim3 gridDim, dim3 blockDim, void **args,
                             size_t sharedMem, cudaStream_t stream) {
  return launchPlain("cudaLaunchKernel", {func, gridDim, blockDim, args, sharedMem, stream}, false);
}
extern "C" HEDDLE_EXPORT cudaError_t cudaLaunchKernel_ptsz(const void *func, dim3 gridDim,
                                                           dim3 blockDim, void **args,
                                                           size_t sharedMem, cudaStream_t stream) {
  return launchPlain("cudaLaunchKernel",
                     {func, gridDim, blockDim, args, sharedMem, orThreads(stream)}, false);
}

// What nvcc 13's programs call for <<<...>>>. The launch looks for the kernel, and has the error if
// there is none: its handle is the address of its stub.
#pragma GCC visibility push(default)
extern "C" {
cudaError_t __cudaGetKernel(cudaKernel_t *kernel, const void *stub) {
  *kernel = reinterpret_cast<cudaKernel_t>(const_cast<void *>(stub));
  return cudaSuccess;
}
cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void **args,
                               size_t shared, cudaStream_t stream) {
  return cudaLaunchKernel(kernel, grid, block, args, shared, stream);
}
cudaError_t __cudaLaunchKernel_ptsz(cudaKernel_t kernel, dim3 grid, dim3 block, void **args,
                                    size_t shared, cudaStream_t stream) {
  return cudaLaunchKernel_ptsz(kernel, grid, block, args, shared, stream);
}
}
#pragma GCC visibility pop

cudaError_t cudaLaunchCooperativeKernel(const void *func, dim3 gridDim, dim3 blockDim, void **args,
                                        size_t sharedMem, cudaStream_t stream) {
  return launchPlain("cudaLaunchCooperativeKernel",
                     {func, gridDim, blockDim, args, sharedMem, stream}, true);
}
extern "C" HEDDLE_EXPORT cudaError_t cudaLaunchCooperativeKernel_ptsz(const void *func,
                                                                      dim3 gridDim, dim3 blockDim,
                                                                      void **args, size_t sharedMem,
                                                                      cudaStream_t stream) {
  return launchPlain("cudaLaunchCooperativeKernel",
                     {func, gridDim, blockDim, args, sharedMem, orThreads(stream)}, true);
}

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

// Whether this thread runs such a task, or a host function of the program's, on a stream: a library
// (nvblas) must not wait for a stream then.
extern "C" HEDDLE_EXPORT int __heddleInTask() { return HostOperation::isRunning(); }

// Between __heddleHostScope(1) and __heddleHostScope(0) what any thread of the process does to
// memory of devices is the platform's own work, as when ATen's CPU kernels compute CUDA tensors
// (python/heddle_torch): heddle check finds it right. Scopes nest.
extern "C" HEDDLE_EXPORT void __heddleHostScope(int enter) {
  static std::atomic<int> scopes = 0;
  if (!engine::observe::observer)
    return;
  if (enter) {
    ++scopes;
    engine::observe::OpenToHost::open();
  } else if (scopes.fetch_sub(1) > 0) {
    engine::observe::OpenToHost::close();
  } else { // there was none
    ++scopes;
  }
}

// Host code in such a scope has written these bytes of a device.
extern "C" HEDDLE_EXPORT void __heddleHostWrote(const void *to, size_t bytes) {
  if (engine::observe::observer)
    engine::observe::observer->written(to, bytes);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "task.h"

#include <cuda_runtime_api.h>
#include <memory>

// Of libcudart.so: as cudaLaunchHostFunc, but what the function touches wrongly is the device's
// error.
extern "C" cudaError_t __heddleLaunchTask(cudaStream_t stream, cudaHostFn_t function, void *data,
                                          const char *call);

namespace heddle::library {
namespace {

void CUDART_CB runOnce(void *task) { (*std::unique_ptr<Task>(static_cast<Task *>(task)))(); }
void CUDART_CB runAgain(void *task) { (*static_cast<Task *>(task))(); }
void CUDART_CB destroy(void *task) { delete static_cast<Task *>(task); }

cudaError_t addToGraph(const char *call, cudaGraph_t graph, cudaStream_t stream,
                       std::unique_ptr<Task> task) {
  cudaUserObject_t owner;
  if (const cudaError_t error =
          cudaUserObjectCreate(&owner, task.get(), destroy, 1, cudaUserObjectNoDestructorSync))
    return error;
  Task *const owned = task.release();
  if (const cudaError_t error =
          cudaGraphRetainUserObject(graph, owner, 1, cudaGraphUserObjectMove)) {
    cudaUserObjectRelease(owner, 1);
    return error;
  }
  return __heddleLaunchTask(stream, runAgain, owned, call);
}

} // namespace

cudaError_t submit(const char *call, cudaStream_t stream, Task task) {
  auto own = std::make_unique<Task>(std::move(task));
  cudaStreamCaptureStatus capture = cudaStreamCaptureStatusNone;
  cudaGraph_t graph = nullptr;
  if (const cudaError_t error =
          cudaStreamGetCaptureInfo_v2(stream, &capture, nullptr, &graph, nullptr, nullptr))
    return error;
  if (capture == cudaStreamCaptureStatusActive)
    return addToGraph(call, graph, stream, std::move(own));
  if (const cudaError_t error = __heddleLaunchTask(stream, runOnce, own.get(), call))
    return error;
  (void)own.release(); // the task deletes itself
  return cudaSuccess;
}

cudaError_t submit(const char *call, cudaStream_t stream, Task task, bool wait) {
  const cudaError_t error = submit(call, stream, std::move(task));
  return error != cudaSuccess || !wait ? error : cudaStreamSynchronize(stream);
}

} // namespace heddle::library

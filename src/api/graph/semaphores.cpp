// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nodes that signal and wait for semaphores of Vulkan and others. There is nothing here that could
// share one.
#include "api/graph/entry.h"

using namespace heddle::api;

namespace {

cudaError_t refuse() {
  return call([] { return notSupported("external semaphores"); });
}

} // namespace

cudaError_t
cudaGraphAddExternalSemaphoresSignalNode(cudaGraphNode_t *, cudaGraph_t, const cudaGraphNode_t *,
                                         size_t, const cudaExternalSemaphoreSignalNodeParams *) {
  return refuse();
}

cudaError_t cudaGraphAddExternalSemaphoresWaitNode(cudaGraphNode_t *, cudaGraph_t,
                                                   const cudaGraphNode_t *, size_t,
                                                   const cudaExternalSemaphoreWaitNodeParams *) {
  return refuse();
}

cudaError_t
cudaGraphExternalSemaphoresSignalNodeGetParams(cudaGraphNode_t,
                                               cudaExternalSemaphoreSignalNodeParams *) {
  return refuse();
}

cudaError_t
cudaGraphExternalSemaphoresSignalNodeSetParams(cudaGraphNode_t,
                                               const cudaExternalSemaphoreSignalNodeParams *) {
  return refuse();
}

cudaError_t cudaGraphExternalSemaphoresWaitNodeGetParams(cudaGraphNode_t,
                                                         cudaExternalSemaphoreWaitNodeParams *) {
  return refuse();
}

cudaError_t
cudaGraphExternalSemaphoresWaitNodeSetParams(cudaGraphNode_t,
                                             const cudaExternalSemaphoreWaitNodeParams *) {
  return refuse();
}

cudaError_t
cudaGraphExecExternalSemaphoresSignalNodeSetParams(cudaGraphExec_t, cudaGraphNode_t,
                                                   const cudaExternalSemaphoreSignalNodeParams *) {
  return refuse();
}

cudaError_t
cudaGraphExecExternalSemaphoresWaitNodeSetParams(cudaGraphExec_t, cudaGraphNode_t,
                                                 const cudaExternalSemaphoreWaitNodeParams *) {
  return refuse();
}

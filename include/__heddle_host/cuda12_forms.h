// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C++ overloads with which programs written for CUDA 12 compile for CUDA 13, too, with a warning:
// CUDA 13 gave these functions other parameters.
#ifndef HEDDLE_HOST_CUDA12_FORMS_H
#define HEDDLE_HOST_CUDA12_FORMS_H

#include "../cuda_runtime_api.h"

#if __HEDDLE_CUDA__ >= 13

// CUDA 12 names a device by its number, and the host by cudaCpuDeviceId.
static inline cudaMemLocation __heddle_location(int device) {
  cudaMemLocation location;
  location.type = device == cudaCpuDeviceId ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice;
  location.id = device == cudaCpuDeviceId ? 0 : device;
  return location;
}

HEDDLE_CUDA12_FORM static inline cudaError_t
cudaMemPrefetchAsync(const void *devPtr, size_t count, int device, cudaStream_t stream = 0) {
  return cudaMemPrefetchAsync(devPtr, count, __heddle_location(device), 0, stream);
}

HEDDLE_CUDA12_FORM static inline cudaError_t
cudaMemAdvise(const void *devPtr, size_t count, enum cudaMemoryAdvise advice, int device) {
  return cudaMemAdvise(devPtr, count, advice, __heddle_location(device));
}

HEDDLE_CUDA12_FORM static inline cudaError_t
cudaStreamGetCaptureInfo(cudaStream_t stream, enum cudaStreamCaptureStatus *status,
                         unsigned long long *id, cudaGraph_t *graph,
                         const cudaGraphNode_t **dependencies, size_t *numDependencies) {
  return cudaStreamGetCaptureInfo(stream, status, id, graph, dependencies, NULL, numDependencies);
}

HEDDLE_CUDA12_FORM static inline cudaError_t
cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t *dependencies,
                                    size_t numDependencies, unsigned int flags = 0) {
  return cudaStreamUpdateCaptureDependencies(stream, dependencies, NULL, numDependencies, flags);
}

HEDDLE_CUDA12_FORM static inline cudaError_t
cudaGraphAddNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *dependencies,
                 size_t numDependencies, cudaGraphNodeParams *params) {
  return cudaGraphAddNode(node, graph, dependencies, NULL, numDependencies, params);
}

HEDDLE_CUDA12_FORM static inline cudaError_t cudaGraphAddDependencies(cudaGraph_t graph,
                                                                      const cudaGraphNode_t *from,
                                                                      const cudaGraphNode_t *to,
                                                                      size_t numDependencies) {
  return cudaGraphAddDependencies(graph, from, to, NULL, numDependencies);
}

HEDDLE_CUDA12_FORM static inline cudaError_t
cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                            const cudaGraphNode_t *to, size_t numDependencies) {
  return cudaGraphRemoveDependencies(graph, from, to, NULL, numDependencies);
}

HEDDLE_CUDA12_FORM static inline cudaError_t
cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to, size_t *numEdges) {
  return cudaGraphGetEdges(graph, from, to, NULL, numEdges);
}

HEDDLE_CUDA12_FORM static inline cudaError_t
cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t *dependencies,
                             size_t *numDependencies) {
  return cudaGraphNodeGetDependencies(node, dependencies, NULL, numDependencies);
}

HEDDLE_CUDA12_FORM static inline cudaError_t
cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t *dependentNodes,
                               size_t *numDependentNodes) {
  return cudaGraphNodeGetDependentNodes(node, dependentNodes, NULL, numDependentNodes);
}

#endif
#endif

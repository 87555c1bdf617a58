// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C++ overloads with which programs written for CUDA 13 compile too: that release gave some
// functions the signature that CUDA 12 has under a _v2 or _v3 name.
#ifndef HEDDLE_HOST_CUDA13_OVERLOADS_H
#define HEDDLE_HOST_CUDA13_OVERLOADS_H

#include "../cuda_runtime_api.h"

static inline cudaError_t cudaMemPrefetchAsync(const void *devPtr, size_t count,
                                               cudaMemLocation location, unsigned int flags,
                                               cudaStream_t stream = 0) {
  return ::cudaMemPrefetchAsync_v2(devPtr, count, location, flags, stream);
}

static inline cudaError_t cudaMemAdvise(const void *devPtr, size_t count,
                                        enum cudaMemoryAdvise advice, cudaMemLocation location) {
  return ::cudaMemAdvise_v2(devPtr, count, advice, location);
}

static inline cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream,
                                                   enum cudaStreamCaptureStatus *status,
                                                   unsigned long long *id, cudaGraph_t *graph,
                                                   const cudaGraphNode_t **dependencies,
                                                   const cudaGraphEdgeData **edgeData,
                                                   size_t *numDependencies) {
  return ::cudaStreamGetCaptureInfo_v3(stream, status, id, graph, dependencies, edgeData,
                                       numDependencies);
}

static inline cudaError_t
cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t *dependencies,
                                    const cudaGraphEdgeData *dependencyData, size_t numDependencies,
                                    unsigned int flags) {
  return ::cudaStreamUpdateCaptureDependencies_v2(stream, dependencies, dependencyData,
                                                  numDependencies, flags);
}

static inline cudaError_t cudaGraphAddNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                           const cudaGraphNode_t *dependencies,
                                           const cudaGraphEdgeData *dependencyData,
                                           size_t numDependencies, cudaGraphNodeParams *params) {
  return ::cudaGraphAddNode_v2(node, graph, dependencies, dependencyData, numDependencies, params);
}

static inline cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                                   const cudaGraphNode_t *to,
                                                   const cudaGraphEdgeData *edgeData,
                                                   size_t numDependencies) {
  return ::cudaGraphAddDependencies_v2(graph, from, to, edgeData, numDependencies);
}

static inline cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph,
                                                      const cudaGraphNode_t *from,
                                                      const cudaGraphNode_t *to,
                                                      const cudaGraphEdgeData *edgeData,
                                                      size_t numDependencies) {
  return ::cudaGraphRemoveDependencies_v2(graph, from, to, edgeData, numDependencies);
}

static inline cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t *from,
                                            cudaGraphNode_t *to, cudaGraphEdgeData *edgeData,
                                            size_t *numEdges) {
  return ::cudaGraphGetEdges_v2(graph, from, to, edgeData, numEdges);
}

static inline cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node,
                                                       cudaGraphNode_t *dependencies,
                                                       cudaGraphEdgeData *edgeData,
                                                       size_t *numDependencies) {
  return ::cudaGraphNodeGetDependencies_v2(node, dependencies, edgeData, numDependencies);
}

static inline cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node,
                                                         cudaGraphNode_t *dependentNodes,
                                                         cudaGraphEdgeData *edgeData,
                                                         size_t *numDependentNodes) {
  return ::cudaGraphNodeGetDependentNodes_v2(node, dependentNodes, edgeData, numDependentNodes);
}

#endif

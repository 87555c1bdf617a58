// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C++ overloads with which programs written for CUDA 13 compile too: that release gave some
// functions the signature that CUDA 12 has under a _v2, _v3 or _v4 name.
#ifndef HEDDLE_DRIVER_CUDA13_OVERLOADS_H
#define HEDDLE_DRIVER_CUDA13_OVERLOADS_H

#include "../cuda.h"

static inline CUresult cuCtxCreate(CUcontext *context, CUctxCreateParams *parameters,
                                   unsigned int flags, CUdevice device) {
  return ::cuCtxCreate_v4(context, parameters, flags, device);
}

static inline CUresult cuMemPrefetchAsync(CUdeviceptr pointer, size_t bytes, CUmemLocation location,
                                          unsigned int flags, CUstream stream) {
  return ::cuMemPrefetchAsync_v2(pointer, bytes, location, flags, stream);
}

static inline CUresult cuMemAdvise(CUdeviceptr pointer, size_t bytes, CUmem_advise advice,
                                   CUmemLocation location) {
  return ::cuMemAdvise_v2(pointer, bytes, advice, location);
}

static inline CUresult cuStreamGetCaptureInfo(CUstream stream, CUstreamCaptureStatus *status,
                                              cuuint64_t *id, CUgraph *graph,
                                              const CUgraphNode **dependencies,
                                              const CUgraphEdgeData **edgeData,
                                              size_t *numDependencies) {
  return ::cuStreamGetCaptureInfo_v3(stream, status, id, graph, dependencies, edgeData,
                                     numDependencies);
}

static inline CUresult cuStreamUpdateCaptureDependencies(CUstream stream, CUgraphNode *dependencies,
                                                         const CUgraphEdgeData *dependencyData,
                                                         size_t numDependencies,
                                                         unsigned int flags) {
  return ::cuStreamUpdateCaptureDependencies_v2(stream, dependencies, dependencyData,
                                                numDependencies, flags);
}

static inline CUresult cuGraphAddNode(CUgraphNode *node, CUgraph graph,
                                      const CUgraphNode *dependencies,
                                      const CUgraphEdgeData *dependencyData, size_t numDependencies,
                                      CUgraphNodeParams *parameters) {
  return ::cuGraphAddNode_v2(node, graph, dependencies, dependencyData, numDependencies,
                             parameters);
}

static inline CUresult cuGraphAddDependencies(CUgraph graph, const CUgraphNode *from,
                                              const CUgraphNode *to, const CUgraphEdgeData *data,
                                              size_t count) {
  return ::cuGraphAddDependencies_v2(graph, from, to, data, count);
}

static inline CUresult cuGraphRemoveDependencies(CUgraph graph, const CUgraphNode *from,
                                                 const CUgraphNode *to, const CUgraphEdgeData *data,
                                                 size_t count) {
  return ::cuGraphRemoveDependencies_v2(graph, from, to, data, count);
}

static inline CUresult cuGraphGetEdges(CUgraph graph, CUgraphNode *from, CUgraphNode *to,
                                       CUgraphEdgeData *data, size_t *count) {
  return ::cuGraphGetEdges_v2(graph, from, to, data, count);
}

static inline CUresult cuGraphNodeGetDependencies(CUgraphNode node, CUgraphNode *dependencies,
                                                  CUgraphEdgeData *data, size_t *count) {
  return ::cuGraphNodeGetDependencies_v2(node, dependencies, data, count);
}

static inline CUresult cuGraphNodeGetDependentNodes(CUgraphNode node, CUgraphNode *nodes,
                                                    CUgraphEdgeData *data, size_t *count) {
  return ::cuGraphNodeGetDependentNodes_v2(node, nodes, data, count);
}

#endif

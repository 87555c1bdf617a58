// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// With these a program written for CUDA 12 compiles for CUDA 13, too, with a warning: CUDA 13 gave
// some functions other parameters (names.h). A call with CUDA 12's number of arguments is one of a
// function here. A name that no parenthesis follows, as in a function's address, is CUDA 13's, so
// these are macros and no overloads.
#ifndef HEDDLE_DRIVER_CUDA12_FORMS_H
#define HEDDLE_DRIVER_CUDA12_FORMS_H

#include "../cuda.h"

#if __HEDDLE_CUDA__ >= 13

HEDDLE_CUDA12_FORM static inline CUresult
__heddle12_cuCtxCreate(CUcontext *context, unsigned int flags, CUdevice device) {
  return cuCtxCreate_v2(context, flags, device);
}

// CUDA 12 names a device by its number, and the host by CU_DEVICE_CPU.
static inline CUmemLocation __heddle12_location(CUdevice device) {
  CUmemLocation location;
  location.type = device == CU_DEVICE_CPU ? CU_MEM_LOCATION_TYPE_HOST : CU_MEM_LOCATION_TYPE_DEVICE;
  location.id = device == CU_DEVICE_CPU ? 0 : device;
  return location;
}

HEDDLE_CUDA12_FORM static inline CUresult
__heddle12_cuMemPrefetchAsync(CUdeviceptr pointer, size_t bytes, CUdevice device, CUstream stream) {
  return cuMemPrefetchAsync(pointer, bytes, __heddle12_location(device), 0, stream);
}

HEDDLE_CUDA12_FORM static inline CUresult
__heddle12_cuStreamGetCaptureInfo(CUstream stream, CUstreamCaptureStatus *status, cuuint64_t *id,
                                  CUgraph *graph, const CUgraphNode **dependencies,
                                  size_t *numDependencies) {
  return cuStreamGetCaptureInfo(stream, status, id, graph, dependencies, NULL, numDependencies);
}

HEDDLE_CUDA12_FORM static inline CUresult
__heddle12_cuStreamUpdateCaptureDependencies(CUstream stream, CUgraphNode *dependencies,
                                             size_t numDependencies, unsigned int flags) {
  return cuStreamUpdateCaptureDependencies(stream, dependencies, NULL, numDependencies, flags);
}

HEDDLE_CUDA12_FORM static inline CUresult
__heddle12_cuGraphAddNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies,
                          size_t numDependencies, CUgraphNodeParams *parameters) {
  return cuGraphAddNode(node, graph, dependencies, NULL, numDependencies, parameters);
}

HEDDLE_CUDA12_FORM static inline CUresult __heddle12_cuGraphAddDependencies(CUgraph graph,
                                                                            const CUgraphNode *from,
                                                                            const CUgraphNode *to,
                                                                            size_t count) {
  return cuGraphAddDependencies(graph, from, to, NULL, count);
}

HEDDLE_CUDA12_FORM static inline CUresult
__heddle12_cuGraphRemoveDependencies(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to,
                                     size_t count) {
  return cuGraphRemoveDependencies(graph, from, to, NULL, count);
}

HEDDLE_CUDA12_FORM static inline CUresult
__heddle12_cuGraphGetEdges(CUgraph graph, CUgraphNode *from, CUgraphNode *to, size_t *count) {
  return cuGraphGetEdges(graph, from, to, NULL, count);
}

HEDDLE_CUDA12_FORM static inline CUresult
__heddle12_cuGraphNodeGetDependencies(CUgraphNode node, CUgraphNode *dependencies, size_t *count) {
  return cuGraphNodeGetDependencies(node, dependencies, NULL, count);
}

HEDDLE_CUDA12_FORM static inline CUresult
__heddle12_cuGraphNodeGetDependentNodes(CUgraphNode node, CUgraphNode *nodes, size_t *count) {
  return cuGraphNodeGetDependentNodes(node, nodes, NULL, count);
}

// As many arguments in both releases: what the last one is tells.
#ifdef __cplusplus
extern "C++" {
static inline CUmemLocation __heddle12_place(CUmemLocation location) { return location; }
HEDDLE_CUDA12_FORM static inline CUmemLocation __heddle12_place(CUdevice device) {
  return __heddle12_location(device);
}
}
#define cuMemAdvise_v2(pointer, bytes, advice, ...)                                                \
  cuMemAdvise_v2(pointer, bytes, advice, __heddle12_place(__VA_ARGS__))
#endif

// HEDDLE_IF_N(older, newer, arguments…): a call of `older` if there are N arguments, else of
// `newer`.
#define HEDDLE_EIGHTH(a, b, c, d, e, f, g, h, ...) h
#define HEDDLE_IF_3(older, newer, ...)                                                             \
  HEDDLE_EIGHTH(__VA_ARGS__, newer, newer, newer, newer, older, newer, newer, )(__VA_ARGS__)
#define HEDDLE_IF_4(older, newer, ...)                                                             \
  HEDDLE_EIGHTH(__VA_ARGS__, newer, newer, newer, older, newer, newer, newer, )(__VA_ARGS__)
#define HEDDLE_IF_5(older, newer, ...)                                                             \
  HEDDLE_EIGHTH(__VA_ARGS__, newer, newer, older, newer, newer, newer, newer, )(__VA_ARGS__)
#define HEDDLE_IF_6(older, newer, ...)                                                             \
  HEDDLE_EIGHTH(__VA_ARGS__, newer, older, newer, newer, newer, newer, newer, )(__VA_ARGS__)

#define cuCtxCreate_v4(...) HEDDLE_IF_3(__heddle12_cuCtxCreate, cuCtxCreate_v4, __VA_ARGS__)
#define cuGraphAddNode_v2(...)                                                                     \
  HEDDLE_IF_5(__heddle12_cuGraphAddNode, cuGraphAddNode_v2, __VA_ARGS__)
#define cuGraphAddDependencies_v2(...)                                                             \
  HEDDLE_IF_4(__heddle12_cuGraphAddDependencies, cuGraphAddDependencies_v2, __VA_ARGS__)
#define cuGraphRemoveDependencies_v2(...)                                                          \
  HEDDLE_IF_4(__heddle12_cuGraphRemoveDependencies, cuGraphRemoveDependencies_v2, __VA_ARGS__)
#define cuGraphGetEdges_v2(...)                                                                    \
  HEDDLE_IF_4(__heddle12_cuGraphGetEdges, cuGraphGetEdges_v2, __VA_ARGS__)
#define cuGraphNodeGetDependencies_v2(...)                                                         \
  HEDDLE_IF_3(__heddle12_cuGraphNodeGetDependencies, cuGraphNodeGetDependencies_v2, __VA_ARGS__)
#define cuGraphNodeGetDependentNodes_v2(...)                                                       \
  HEDDLE_IF_3(__heddle12_cuGraphNodeGetDependentNodes, cuGraphNodeGetDependentNodes_v2, __VA_ARGS__)
// Functions on streams are macros for others if the default stream is the thread's.
#ifdef __CUDA_API_PER_THREAD_DEFAULT_STREAM
#define cuMemPrefetchAsync_v2_ptsz(...)                                                            \
  HEDDLE_IF_4(__heddle12_cuMemPrefetchAsync, cuMemPrefetchAsync_v2_ptsz, __VA_ARGS__)
#define cuStreamGetCaptureInfo_v3_ptsz(...)                                                        \
  HEDDLE_IF_6(__heddle12_cuStreamGetCaptureInfo, cuStreamGetCaptureInfo_v3_ptsz, __VA_ARGS__)
#define cuStreamUpdateCaptureDependencies_v2_ptsz(...)                                             \
  HEDDLE_IF_4(__heddle12_cuStreamUpdateCaptureDependencies,                                        \
              cuStreamUpdateCaptureDependencies_v2_ptsz, __VA_ARGS__)
#else
#define cuMemPrefetchAsync_v2(...)                                                                 \
  HEDDLE_IF_4(__heddle12_cuMemPrefetchAsync, cuMemPrefetchAsync_v2, __VA_ARGS__)
#define cuStreamGetCaptureInfo_v3(...)                                                             \
  HEDDLE_IF_6(__heddle12_cuStreamGetCaptureInfo, cuStreamGetCaptureInfo_v3, __VA_ARGS__)
#define cuStreamUpdateCaptureDependencies_v2(...)                                                  \
  HEDDLE_IF_4(__heddle12_cuStreamUpdateCaptureDependencies, cuStreamUpdateCaptureDependencies_v2,  \
              __VA_ARGS__)
#endif

#endif
#endif

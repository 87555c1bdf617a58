// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What cuda13_overloads.h is for C++, for C: a call with the number of arguments that CUDA 13 asks
// for is one of the function with that signature. A name that no parenthesis follows, as in a
// function's address, is CUDA 12's.
#ifndef HEDDLE_DRIVER_CUDA13_FORMS_H
#define HEDDLE_DRIVER_CUDA13_FORMS_H

#define HEDDLE_EIGHTH(a, b, c, d, e, f, g, h, ...) h
#define HEDDLE_IF_4(older, newer, ...)                                                             \
  HEDDLE_EIGHTH(__VA_ARGS__, older, older, older, newer, older, older, older, )(__VA_ARGS__)
#define HEDDLE_IF_5(older, newer, ...)                                                             \
  HEDDLE_EIGHTH(__VA_ARGS__, older, older, newer, older, older, older, older, )(__VA_ARGS__)
#define HEDDLE_IF_6(older, newer, ...)                                                             \
  HEDDLE_EIGHTH(__VA_ARGS__, older, newer, older, older, older, older, older, )(__VA_ARGS__)
#define HEDDLE_IF_7(older, newer, ...)                                                             \
  HEDDLE_EIGHTH(__VA_ARGS__, newer, older, older, older, older, older, older, )(__VA_ARGS__)

// cuCtxCreate is a macro for cuCtxCreate_v2 (names.h).
#define cuCtxCreate_v2(...) HEDDLE_IF_4(cuCtxCreate_v2, cuCtxCreate_v4, __VA_ARGS__)
#define cuGraphAddNode(...) HEDDLE_IF_6(cuGraphAddNode, cuGraphAddNode_v2, __VA_ARGS__)
#define cuGraphAddDependencies(...)                                                                \
  HEDDLE_IF_5(cuGraphAddDependencies, cuGraphAddDependencies_v2, __VA_ARGS__)
#define cuGraphRemoveDependencies(...)                                                             \
  HEDDLE_IF_5(cuGraphRemoveDependencies, cuGraphRemoveDependencies_v2, __VA_ARGS__)
#define cuGraphGetEdges(...) HEDDLE_IF_5(cuGraphGetEdges, cuGraphGetEdges_v2, __VA_ARGS__)
#define cuGraphNodeGetDependencies(...)                                                            \
  HEDDLE_IF_4(cuGraphNodeGetDependencies, cuGraphNodeGetDependencies_v2, __VA_ARGS__)
#define cuGraphNodeGetDependentNodes(...)                                                          \
  HEDDLE_IF_4(cuGraphNodeGetDependentNodes, cuGraphNodeGetDependentNodes_v2, __VA_ARGS__)

// Functions on streams are macros for others if the default stream is the thread's.
#ifdef __CUDA_API_PER_THREAD_DEFAULT_STREAM
#define cuMemPrefetchAsync_ptsz(...)                                                               \
  HEDDLE_IF_5(cuMemPrefetchAsync_ptsz, cuMemPrefetchAsync_v2_ptsz, __VA_ARGS__)
#define cuStreamGetCaptureInfo_v2_ptsz(...)                                                        \
  HEDDLE_IF_7(cuStreamGetCaptureInfo_v2_ptsz, cuStreamGetCaptureInfo_v3_ptsz, __VA_ARGS__)
#define cuStreamUpdateCaptureDependencies_ptsz(...)                                                \
  HEDDLE_IF_5(cuStreamUpdateCaptureDependencies_ptsz, cuStreamUpdateCaptureDependencies_v2_ptsz,   \
              __VA_ARGS__)
#else
#define cuMemPrefetchAsync(...) HEDDLE_IF_5(cuMemPrefetchAsync, cuMemPrefetchAsync_v2, __VA_ARGS__)
#define cuStreamGetCaptureInfo_v2(...)                                                             \
  HEDDLE_IF_7(cuStreamGetCaptureInfo_v2, cuStreamGetCaptureInfo_v3, __VA_ARGS__)
#define cuStreamUpdateCaptureDependencies(...)                                                     \
  HEDDLE_IF_5(cuStreamUpdateCaptureDependencies, cuStreamUpdateCaptureDependencies_v2, __VA_ARGS__)
#endif

// As many arguments in both releases: the last tells, which C11 can ask.
#if defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L
#define cuMemAdvise(pointer, bytes, advice, where)                                                 \
  _Generic((where), CUmemLocation: cuMemAdvise_v2, default: cuMemAdvise)(pointer, bytes, advice,   \
                                                                         where)
#endif

#endif

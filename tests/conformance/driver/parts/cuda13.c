/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A C program that calls the driver's functions as CUDA 13 declares them, and as CUDA 12 does. In
 * C there are no overloads: the number of arguments tells. */
#include <cuda.h>
#include <stddef.h>
#include <stdio.h>

static int failures;

static void check(CUresult result, int line) {
  if (result != CUDA_SUCCESS && ++failures)
    fprintf(stderr, "cuda13.c:%d: error %d\n", line, (int)result);
}
#define CHECK(call) check(call, __LINE__)

#if CUDA_VERSION >= 13000 || defined(HEDDLE_DRIVER_CUDA13_FORMS_H)

static void graphs(void) {
  CUgraph graph;
  CUgraphNode nodes[3], found[2], targets[2];
  CUgraphNodeParams parameters = {CU_GRAPH_NODE_TYPE_EMPTY};
  CUgraphEdgeData data[2];
  size_t count = 2;
  int i;
  CHECK(cuGraphCreate(&graph, 0));
  for (i = 0; i < 3; ++i)
    CHECK(cuGraphAddNode(&nodes[i], graph, NULL, NULL, 0, &parameters));
  CHECK(cuGraphAddDependencies(graph, nodes, nodes + 1, NULL, 2));
  CHECK(cuGraphGetEdges(graph, found, targets, data, &count));
  failures += count != 2;
  CHECK(cuGraphNodeGetDependencies(nodes[1], found, data, &count));
  failures += count != 1 || found[0] != nodes[0];
  count = 2;
  CHECK(cuGraphNodeGetDependentNodes(nodes[1], found, data, &count));
  failures += count != 1 || found[0] != nodes[2];
  CHECK(cuGraphRemoveDependencies(graph, nodes, nodes + 1, NULL, 1));
  CHECK(cuGraphDestroy(graph));
}

static void memory(CUstream stream) {
  CUdeviceptr pointer;
  CUmemLocation host = {CU_MEM_LOCATION_TYPE_HOST, 0};
  CHECK(cuMemAllocManaged(&pointer, 4096, CU_MEM_ATTACH_GLOBAL));
  CHECK(cuMemAdvise(pointer, 4096, CU_MEM_ADVISE_SET_PREFERRED_LOCATION, host));
  CHECK(cuMemPrefetchAsync(pointer, 4096, host, 0, stream));
  CHECK(cuStreamSynchronize(stream));
  CHECK(cuMemFree(pointer));
}

static void capture(CUstream stream) {
  CUstreamCaptureStatus status;
  cuuint64_t id;
  CUgraph graph;
  const CUgraphNode *nodes;
  const CUgraphEdgeData *data;
  size_t count;
  CHECK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
  CHECK(cuStreamGetCaptureInfo(stream, &status, &id, &graph, &nodes, &data, &count));
  failures += status != CU_STREAM_CAPTURE_STATUS_ACTIVE || count != 0;
  CHECK(
      cuStreamUpdateCaptureDependencies(stream, NULL, NULL, 0, CU_STREAM_SET_CAPTURE_DEPENDENCIES));
  CHECK(cuStreamEndCapture(stream, &graph));
  CHECK(cuGraphDestroy(graph));
}

int useCuda13FromC(int device) {
  CUcontext context;
  CUstream stream;
  CHECK(cuCtxCreate(&context, NULL, 0, device));
  CHECK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  graphs();
  memory(stream);
  capture(stream);
  CHECK(cuStreamDestroy(stream));
  CHECK(cuCtxDestroy(context));
#if CUDA_VERSION < 13000
  CHECK(cuCtxCreate(&context, 0, device));
  CHECK(cuCtxDestroy(context));
#endif
  return failures;
}

#else
int useCuda13FromC(int device) {
  (void)device;
  return failures;
}
#endif

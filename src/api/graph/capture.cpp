// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stream capture.
#include "device/graph/capture.h"
#include "api/graph/entry.h"

using namespace heddle;
using namespace heddle::api;

namespace {

bool known(cudaStreamCaptureMode mode) { return unsigned(mode) <= cudaStreamCaptureModeRelaxed; }

cudaError_t begin(cudaStream_t handle, cudaStreamCaptureMode mode) {
  return callStream(handle, [&](DeviceStream &stream) {
    return known(mode) ? Capture::begin(stream, mode) : cudaErrorInvalidValue;
  });
}

cudaError_t beginToGraph(cudaStream_t handle, cudaGraph_t graph,
                         const cudaGraphNode_t *dependencies, const cudaGraphEdgeData *data,
                         size_t count, cudaStreamCaptureMode mode) {
  return callStream(handle, [&](DeviceStream &stream) {
    std::shared_ptr<Graph> found;
    std::vector<Edge> ends;
    if (!known(mode))
      return cudaErrorInvalidValue;
    if (cudaError_t error = findGraph(graph, found))
      return error;
    if (cudaError_t error = findEdges(dependencies, data, count, ends))
      return error;
    for (const Edge &edge : ends)
      if (&edge.node->graph != found.get())
        return cudaErrorInvalidValue;
    return Capture::begin(stream, mode, found, ends);
  });
}

cudaError_t end(cudaStream_t handle, cudaGraph_t *graph) {
  return callStream(handle, [&](DeviceStream &stream) {
    std::shared_ptr<Graph> made;
    cudaError_t error = Capture::end(stream, made);
    if (graph)
      *graph = handleOf(made.get());
    return error;
  });
}

cudaError_t isCapturing(cudaStream_t handle, cudaStreamCaptureStatus *status) {
  return callStream(handle, [&](DeviceStream &stream) {
    Capture::Status now;
    if (!status)
      return cudaErrorInvalidValue;
    cudaError_t error = Capture::status(stream, now);
    *status = now.status;
    return error;
  });
}

cudaError_t info(cudaStream_t handle, cudaStreamCaptureStatus *status, unsigned long long *id,
                 cudaGraph_t *graph, const cudaGraphNode_t **dependencies,
                 const cudaGraphEdgeData **data, bool tells_data, size_t *count) {
  return callStream(handle, [&](DeviceStream &stream) {
    Capture::Status now;
    if (!status)
      return cudaErrorInvalidValue;
    if (cudaError_t error = Capture::status(stream, now))
      return error;
    *status = now.status;
    if (now.status != cudaStreamCaptureStatusActive)
      return cudaSuccess;
    for (size_t i = 0; dependencies && !tells_data && i < now.count; ++i)
      if (now.data[i].type != 0)
        return cudaErrorLossyQuery;
    if (id)
      *id = now.id;
    if (graph)
      *graph = handleOf(now.graph.get());
    if (dependencies)
      *dependencies = now.nodes;
    if (data)
      *data = now.data;
    if (count)
      *count = now.count;
    return cudaSuccess;
  });
}

cudaError_t setDependencies(cudaStream_t handle, const cudaGraphNode_t *dependencies,
                            const cudaGraphEdgeData *data, size_t count, unsigned flags) {
  return callStream(handle, [&](DeviceStream &stream) {
    std::vector<Edge> ends;
    if (flags > cudaStreamSetCaptureDependencies)
      return cudaErrorInvalidValue;
    if (cudaError_t error = findEdges(dependencies, data, count, ends))
      return error;
    return Capture::setDependencies(stream, ends, flags == cudaStreamSetCaptureDependencies);
  });
}

} // namespace

cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode *mode) {
  return call([&] {
    if (!mode || !known(*mode))
      return cudaErrorInvalidValue;
    *mode = Capture::exchangeMode(*mode);
    return cudaSuccess;
  });
}

HEDDLE_STREAM_CALL(cudaStreamBeginCapture, (cudaStream_t stream, cudaStreamCaptureMode mode),
                   begin(stream, mode))
HEDDLE_STREAM_CALL(cudaStreamBeginCaptureToGraph,
                   (cudaStream_t stream, cudaGraph_t graph, const cudaGraphNode_t *dependencies,
                    const cudaGraphEdgeData *dependencyData, size_t numDependencies,
                    cudaStreamCaptureMode mode),
                   beginToGraph(stream, graph, dependencies, dependencyData, numDependencies, mode))
HEDDLE_STREAM_CALL(cudaStreamEndCapture, (cudaStream_t stream, cudaGraph_t *graph),
                   end(stream, graph))
HEDDLE_STREAM_CALL(cudaStreamIsCapturing, (cudaStream_t stream, cudaStreamCaptureStatus *status),
                   isCapturing(stream, status))
// The header's name for it is cudaStreamGetCaptureInfo.
#undef cudaStreamGetCaptureInfo
HEDDLE_STREAM_CALL(cudaStreamGetCaptureInfo_v2,
                   (cudaStream_t stream, cudaStreamCaptureStatus *status, unsigned long long *id,
                    cudaGraph_t *graph, const cudaGraphNode_t **dependencies,
                    size_t *numDependencies),
                   info(stream, status, id, graph, dependencies, nullptr, false, numDependencies))
HEDDLE_STREAM_CALL(cudaStreamGetCaptureInfo_v3,
                   (cudaStream_t stream, cudaStreamCaptureStatus *status, unsigned long long *id,
                    cudaGraph_t *graph, const cudaGraphNode_t **dependencies,
                    const cudaGraphEdgeData **edgeData, size_t *numDependencies),
                   info(stream, status, id, graph, dependencies, edgeData, edgeData != nullptr,
                        numDependencies))
HEDDLE_STREAM_CALL(cudaStreamUpdateCaptureDependencies,
                   (cudaStream_t stream, cudaGraphNode_t *dependencies, size_t numDependencies,
                    unsigned flags),
                   setDependencies(stream, dependencies, nullptr, numDependencies, flags))
HEDDLE_STREAM_CALL(cudaStreamUpdateCaptureDependencies_v2,
                   (cudaStream_t stream, cudaGraphNode_t *dependencies,
                    const cudaGraphEdgeData *dependencyData, size_t numDependencies,
                    unsigned flags),
                   setDependencies(stream, dependencies, dependencyData, numDependencies, flags))

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Streams, capture, events: the runtime's.
#include "driver/entry.h"

using namespace heddle;
using namespace heddle::driver;

namespace {

/// The runtime's functions that tell of a stream's context only need one if the stream is a default
/// one; so it is here.
template <class Body> CUresult callStream(CUstream stream, Body body) {
  const bool named = stream && stream != CU_STREAM_LEGACY && stream != CU_STREAM_PER_THREAD;
  return named ? call(body) : callContext(body);
}

CUresult contextOf(CUstream handle, CUcontext *context) {
  return callStream(handle, [&] {
    return api::callStream(handle, [&](DeviceStream &stream) {
      if (!context)
        return cudaErrorInvalidValue;
      const bool named = Device::streamHandles().find(handle) != nullptr;
      *context = driver::handleOf(named ? Context::find(*stream.device, stream.context).get()
                                        : Context::current().get());
      return cudaSuccess;
    });
  });
}

CUresult copyAttributes(CUstream to, CUstream from) {
  return callContext([&] { return cudaStreamCopyAttributes(to, from); });
}

} // namespace

CUresult cuStreamCreate(CUstream *stream, unsigned flags) {
  return callContext([&] { return cudaStreamCreateWithFlags(stream, flags); });
}

CUresult cuStreamCreateWithPriority(CUstream *stream, unsigned flags, int priority) {
  return callContext([&] { return cudaStreamCreateWithPriority(stream, flags, priority); });
}

CUresult cuStreamDestroy(CUstream stream) {
  return call([&] { return cudaStreamDestroy(stream); });
}
HEDDLE_OLDER_NAME("cuStreamDestroy", "cuStreamDestroy_v2")

HEDDLE_DRIVER_STREAM_CALL(cuStreamGetPriority, (CUstream stream, int *priority),
                          callStream(stream,
                                     [&] { return cudaStreamGetPriority(stream, priority); }))
HEDDLE_DRIVER_STREAM_CALL(cuStreamGetFlags, (CUstream stream, unsigned *flags),
                          callStream(stream, [&] { return cudaStreamGetFlags(stream, flags); }))
HEDDLE_DRIVER_STREAM_CALL(cuStreamGetId, (CUstream stream, unsigned long long *id),
                          callStream(stream, [&] { return cudaStreamGetId(stream, id); }))
HEDDLE_DRIVER_STREAM_CALL(cuStreamGetCtx, (CUstream stream, CUcontext *context),
                          contextOf(stream, context))
HEDDLE_DRIVER_STREAM_CALL(cuStreamWaitEvent, (CUstream stream, CUevent event, unsigned flags),
                          callStream(stream,
                                     [&] { return cudaStreamWaitEvent(stream, event, flags); }))
HEDDLE_DRIVER_STREAM_CALL(cuStreamAddCallback,
                          (CUstream stream, CUstreamCallback callback, void *userData,
                           unsigned flags),
                          callStream(stream, [&] {
                            return cudaStreamAddCallback(
                                stream, reinterpret_cast<cudaStreamCallback_t>(callback), userData,
                                flags);
                          }))
HEDDLE_DRIVER_STREAM_CALL(cuStreamAttachMemAsync,
                          (CUstream stream, CUdeviceptr pointer, size_t bytes, unsigned flags),
                          callStream(stream, [&] {
                            return cudaStreamAttachMemAsync(stream, at(pointer), bytes, flags);
                          }))
HEDDLE_DRIVER_STREAM_CALL(cuStreamQuery, (CUstream stream),
                          callStream(stream, [&] { return cudaStreamQuery(stream); }))
HEDDLE_DRIVER_STREAM_CALL(cuStreamSynchronize, (CUstream stream),
                          callStream(stream, [&] { return cudaStreamSynchronize(stream); }))

CUresult cuStreamCopyAttributes(CUstream to, CUstream from) { return copyAttributes(to, from); }
extern "C" HEDDLE_EXPORT CUresult cuStreamCopyAttributes_ptsz(CUstream to, CUstream from) {
  return copyAttributes(to ? to : CU_STREAM_PER_THREAD, from ? from : CU_STREAM_PER_THREAD);
}
HEDDLE_DRIVER_STREAM_CALL(cuStreamGetAttribute,
                          (CUstream stream, CUstreamAttrID attribute, CUstreamAttrValue *value),
                          callStream(stream, [&] {
                            return cudaStreamGetAttribute(stream, cudaLaunchAttributeID(attribute),
                                                          as<cudaLaunchAttributeValue>(value));
                          }))
HEDDLE_DRIVER_STREAM_CALL(cuStreamSetAttribute,
                          (CUstream stream, CUstreamAttrID attribute,
                           const CUstreamAttrValue *value),
                          callStream(stream, [&] {
                            return cudaStreamSetAttribute(
                                stream, cudaLaunchAttributeID(attribute),
                                as<const cudaLaunchAttributeValue>(value));
                          }))

// ---- Capture ------------------------------------------------------------------------------------

HEDDLE_DRIVER_STREAM_CALL(cuStreamBeginCapture_v2, (CUstream stream, CUstreamCaptureMode mode),
                          callStream(stream, [&] {
                            return cudaStreamBeginCapture(stream, cudaStreamCaptureMode(mode));
                          }))
HEDDLE_DRIVER_STREAM_CALL(cuStreamBeginCaptureToGraph,
                          (CUstream stream, CUgraph graph, const CUgraphNode *dependencies,
                           const CUgraphEdgeData *dependencyData, size_t numDependencies,
                           CUstreamCaptureMode mode),
                          callStream(stream, [&] {
                            return cudaStreamBeginCaptureToGraph(
                                stream, graph, dependencies,
                                as<const cudaGraphEdgeData>(dependencyData), numDependencies,
                                cudaStreamCaptureMode(mode));
                          }))
HEDDLE_DRIVER_STREAM_CALL(cuStreamEndCapture, (CUstream stream, CUgraph *graph),
                          callStream(stream, [&] {
                            return graph ? cudaStreamEndCapture(stream, graph)
                                         : cudaErrorInvalidValue;
                          }))
HEDDLE_DRIVER_STREAM_CALL(cuStreamIsCapturing, (CUstream stream, CUstreamCaptureStatus *status),
                          callStream(stream, [&] {
                            return cudaStreamIsCapturing(stream,
                                                         as<cudaStreamCaptureStatus>(status));
                          }))
HEDDLE_DRIVER_STREAM_CALL(cuStreamGetCaptureInfo_v2,
                          (CUstream stream, CUstreamCaptureStatus *status, cuuint64_t *id,
                           CUgraph *graph, const CUgraphNode **dependencies,
                           size_t *numDependencies),
                          callStream(stream, [&] {
                            return cudaStreamGetCaptureInfo(
                                stream, as<cudaStreamCaptureStatus>(status),
                                as<unsigned long long>(id), graph, dependencies, numDependencies);
                          }))
HEDDLE_DRIVER_STREAM_CALL(cuStreamGetCaptureInfo_v3,
                          (CUstream stream, CUstreamCaptureStatus *status, cuuint64_t *id,
                           CUgraph *graph, const CUgraphNode **dependencies,
                           const CUgraphEdgeData **edgeData, size_t *numDependencies),
                          callStream(stream, [&] {
                            return cudaStreamGetCaptureInfo_v3(
                                stream, as<cudaStreamCaptureStatus>(status),
                                as<unsigned long long>(id), graph, dependencies,
                                as<const cudaGraphEdgeData *>(edgeData), numDependencies);
                          }))
HEDDLE_DRIVER_STREAM_CALL(cuStreamUpdateCaptureDependencies,
                          (CUstream stream, CUgraphNode *dependencies, size_t numDependencies,
                           unsigned flags),
                          callStream(stream, [&] {
                            return cudaStreamUpdateCaptureDependencies(stream, dependencies,
                                                                       numDependencies, flags);
                          }))
HEDDLE_DRIVER_STREAM_CALL(cuStreamUpdateCaptureDependencies_v2,
                          (CUstream stream, CUgraphNode *dependencies,
                           const CUgraphEdgeData *dependencyData, size_t numDependencies,
                           unsigned flags),
                          callStream(stream, [&] {
                            return cudaStreamUpdateCaptureDependencies_v2(
                                stream, dependencies, as<const cudaGraphEdgeData>(dependencyData),
                                numDependencies, flags);
                          }))

CUresult cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode *mode) {
  return call([&] { return cudaThreadExchangeStreamCaptureMode(as<cudaStreamCaptureMode>(mode)); });
}

// Before CUDA 10.1 and 11.3.
#undef cuStreamBeginCapture
#undef cuStreamGetCaptureInfo
extern "C" {
HEDDLE_EXPORT CUresult cuStreamBeginCapture(CUstream stream) {
  return cuStreamBeginCapture_v2(stream, CU_STREAM_CAPTURE_MODE_GLOBAL);
}
HEDDLE_EXPORT CUresult cuStreamBeginCapture_ptsz(CUstream stream) {
  return cuStreamBeginCapture(stream ? stream : CU_STREAM_PER_THREAD);
}
HEDDLE_EXPORT CUresult cuStreamGetCaptureInfo(CUstream stream, CUstreamCaptureStatus *status,
                                              cuuint64_t *id) {
  return cuStreamGetCaptureInfo_v2(stream, status, id, nullptr, nullptr, nullptr);
}
HEDDLE_EXPORT CUresult cuStreamGetCaptureInfo_ptsz(CUstream stream, CUstreamCaptureStatus *status,
                                                   cuuint64_t *id) {
  return cuStreamGetCaptureInfo(stream ? stream : CU_STREAM_PER_THREAD, status, id);
}
}

// ---- Events -------------------------------------------------------------------------------------

CUresult cuEventCreate(CUevent *event, unsigned flags) {
  return callContext([&] { return cudaEventCreateWithFlags(event, flags); });
}

HEDDLE_DRIVER_STREAM_CALL(cuEventRecord, (CUevent event, CUstream stream),
                          callStream(stream, [&] { return cudaEventRecord(event, stream); }))
HEDDLE_DRIVER_STREAM_CALL(cuEventRecordWithFlags, (CUevent event, CUstream stream, unsigned flags),
                          callStream(stream, [&] {
                            return cudaEventRecordWithFlags(event, stream, flags);
                          }))

CUresult cuEventQuery(CUevent event) {
  return call([&] { return cudaEventQuery(event); });
}

CUresult cuEventSynchronize(CUevent event) {
  return call([&] { return cudaEventSynchronize(event); });
}

CUresult cuEventDestroy(CUevent event) {
  return call([&] { return cudaEventDestroy(event); });
}
HEDDLE_OLDER_NAME("cuEventDestroy", "cuEventDestroy_v2")

CUresult cuEventElapsedTime(float *milliseconds, CUevent start, CUevent end) {
  return call([&] { return cudaEventElapsedTime(milliseconds, start, end); });
}
// The same since CUDA 12.8; XLA looks it up by this name.
HEDDLE_OLDER_NAME("cuEventElapsedTime_v2", "cuEventElapsedTime")

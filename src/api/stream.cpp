// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Streams and events.
#include "api/entry.h"
#include "engine/observe/observer.h"

#include <algorithm>

using namespace heddle;
using namespace heddle::api;

namespace {

cudaError_t create(cudaStream_t *handle, unsigned flags, int priority) {
  return callDevice([&](Device &device) {
    if (!handle || (flags & ~unsigned(cudaStreamNonBlocking)))
      return cudaErrorInvalidValue;
    StreamKind kind =
        flags & cudaStreamNonBlocking ? StreamKind::NonBlocking : StreamKind::Blocking;
    // A priority out of range means the nearest one in range.
    priority =
        std::clamp(priority, device.gpu.highest_stream_priority, device.gpu.lowest_stream_priority);
    *handle = reinterpret_cast<cudaStream_t>(device.createStream(kind, priority).get());
    return cudaSuccess;
  });
}

cudaError_t query(cudaStream_t handle) {
  return callStream(handle, [](DeviceStream &stream) {
    if (cudaError_t error = Capture::checkWait(stream))
      return error;
    // The legacy default stream stands for all blocking streams too.
    if (stream.kind == StreamKind::Legacy) {
      for (const Point &point : stream.device->blockingPoints()) {
        if (!point.reached())
          return cudaErrorNotReady;
        point.tellHost();
      }
    }
    if (!stream.queue->idle())
      return cudaErrorNotReady;
    stream.queue->last().tellHost();
    return cudaSuccess;
  });
}

cudaError_t finish(DeviceStream &stream) {
  engine::observe::ApiCall::concerns(stream.name());
  if (cudaError_t error = Capture::checkWait(stream))
    return error;
  if (stream.kind == StreamKind::Legacy)
    for (const Point &point : stream.device->blockingPoints()) {
      point.wait();
      point.tellHost();
    }
  return stream.device->synchronize(stream.queue->last());
}

cudaError_t synchronize(cudaStream_t handle) { return callStream(handle, finish); }

cudaError_t finishUnlessCaptured(cudaStream_t handle, bool &captured) {
  return callStream(
      handle,
      [&](DeviceStream &stream) {
        Capture::Status now;
        cudaError_t error = Capture::status(stream, now);
        captured = now.status == cudaStreamCaptureStatusActive;
        return error || captured ? error : finish(stream);
      },
      "cudaStreamSynchronize");
}

cudaError_t waitEvent(cudaStream_t handle, cudaEvent_t event, unsigned flags) {
  return callStream(handle, [&](DeviceStream &stream) {
    std::shared_ptr<Event> found;
    if (cudaError_t error = findEvent(event, found))
      return error;
    if (flags & ~unsigned(cudaEventWaitExternal))
      return cudaErrorInvalidValue;
    engine::observe::ApiCall::concerns(stream.name(), found->id);
    return found->waitIn(stream, flags & cudaEventWaitExternal);
  });
}

cudaError_t addCallback(cudaStream_t handle, cudaStreamCallback_t callback, void *user,
                        unsigned flags) {
  return callStream(handle, [&](DeviceStream &stream) {
    if (!callback || flags != 0)
      return cudaErrorInvalidValue;
    if (Capture::anywhere()) {
      if (stream.capture())
        return Capture::checkWait(stream); // never success
      if (cudaError_t error = Capture::admit(stream, true))
        return error;
    }
    // Unlike a host function, a callback is called after an error too, and told of it.
    auto work = makeWork([device = stream.device, handle, callback, user] {
      device->print.flush();
      if (engine::observe::observer)
        engine::observe::observer->tellsHost();
      callback(handle, device->error(), user);
    });
    work->on_worker_only = true;
    stream.device->submit(stream, std::move(work));
    return cudaSuccess;
  });
}

cudaError_t record(cudaEvent_t handle, cudaStream_t stream, unsigned flags) {
  return callEvent(handle, [&](Event &event) {
    if (flags & ~unsigned(cudaEventRecordExternal))
      return cudaErrorInvalidValue;
    std::shared_ptr<DeviceStream> found;
    if (cudaError_t error = findStream(stream, found))
      return error;
    engine::observe::ApiCall::concerns(found->name(), event.id);
    return event.record(*found, flags & cudaEventRecordExternal);
  });
}

template <class Value, class Get> cudaError_t ask(cudaStream_t handle, Value *value, Get get) {
  return callStream(handle, [&](DeviceStream &stream) {
    if (!value)
      return cudaErrorInvalidValue;
    *value = get(stream);
    return cudaSuccess;
  });
}

unsigned flagsOf(const DeviceStream &stream) {
  return stream.kind == StreamKind::NonBlocking ? cudaStreamNonBlocking : cudaStreamDefault;
}

} // namespace

// ---- Streams ------------------------------------------------------------------------------------

cudaError_t cudaStreamCreate(cudaStream_t *stream) { return create(stream, cudaStreamDefault, 0); }

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags) {
  return create(stream, flags, 0);
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned flags, int priority) {
  return create(stream, flags, priority);
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  return callPlatform([&](Platform &) {
    // The default streams cannot be destroyed; they are not among the handles.
    std::shared_ptr<DeviceStream> found = Device::streamHandles().find(stream);
    if (!found)
      return cudaErrorInvalidResourceHandle;
    Capture::streamDestroyed(*found);
    found->device->destroyStream(found);
    return found->device->error();
  });
}

HEDDLE_STREAM_CALL(cudaStreamQuery, (cudaStream_t stream), query(stream))
HEDDLE_STREAM_CALL(cudaStreamSynchronize, (cudaStream_t stream), synchronize(stream))

// cudaStreamIsCapturing, and cudaStreamSynchronize if it is not: what python/heddle_torch asks
// before each of PyTorch's operations, in one call. 1 or 0, or a negative error.
extern "C" HEDDLE_EXPORT int __heddleFinishStream(cudaStream_t stream) {
  bool captured = false;
  const cudaError_t error = finishUnlessCaptured(stream, captured);
  return error ? -int(error) : captured;
}

HEDDLE_STREAM_CALL(cudaStreamWaitEvent, (cudaStream_t stream, cudaEvent_t event, unsigned flags),
                   waitEvent(stream, event, flags))
HEDDLE_STREAM_CALL(cudaStreamAddCallback,
                   (cudaStream_t stream, cudaStreamCallback_t callback, void *userData,
                    unsigned flags),
                   addCallback(stream, callback, userData, flags))
HEDDLE_STREAM_CALL(cudaStreamGetPriority, (cudaStream_t stream, int *priority),
                   ask(stream, priority,
                       [](DeviceStream &stream) { return stream.priority.load(); }))
HEDDLE_STREAM_CALL(cudaStreamGetFlags, (cudaStream_t stream, unsigned *flags),
                   ask(stream, flags, flagsOf))
HEDDLE_STREAM_CALL(cudaStreamGetId, (cudaStream_t stream, unsigned long long *id),
                   ask(stream, id, [](DeviceStream &stream) { return stream.id; }))
// ---- Events -------------------------------------------------------------------------------------

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags) {
  return callDevice([&](Device &device) {
    constexpr unsigned known =
        cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess;
    bool shared_with_timing = (flags & cudaEventInterprocess) && !(flags & cudaEventDisableTiming);
    if (!event || (flags & ~known) || shared_with_timing)
      return cudaErrorInvalidValue;
    std::shared_ptr<SharedEvent> shared;
    if (flags & cudaEventInterprocess) {
      shared = SharedEvent::create();
      if (!shared)
        return cudaErrorMemoryAllocation;
    }
    auto made = std::make_shared<Event>(device, flags, std::move(shared));
    Event::handles().add(made);
    *event = reinterpret_cast<cudaEvent_t>(made.get());
    return cudaSuccess;
  });
}

cudaError_t cudaEventCreate(cudaEvent_t *event) {
  return cudaEventCreateWithFlags(event, cudaEventDefault);
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
  return callPlatform([&](Platform &) {
    std::shared_ptr<Event> found = Event::handles().remove(event);
    return found ? found->device.error() : cudaErrorInvalidResourceHandle;
  });
}

HEDDLE_STREAM_CALL(cudaEventRecord, (cudaEvent_t event, cudaStream_t stream),
                   record(event, stream, cudaEventRecordDefault))
HEDDLE_STREAM_CALL(cudaEventRecordWithFlags,
                   (cudaEvent_t event, cudaStream_t stream, unsigned flags),
                   record(event, stream, flags))

cudaError_t cudaEventQuery(cudaEvent_t event) {
  return callEvent(event, [](Event &event) { return event.query(); });
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  return callEvent(event, [](Event &event) {
    engine::observe::ApiCall::concerns({.device = event.device.ordinal}, event.id);
    return event.synchronize();
  });
}

cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t start, cudaEvent_t end) {
  return callEvent(start, [&](Event &from) {
    if (!ms)
      return cudaErrorInvalidValue;
    std::shared_ptr<Event> to;
    if (cudaError_t error = findEvent(end, to))
      return error;
    return Event::elapsed(*ms, from, *to);
  });
}

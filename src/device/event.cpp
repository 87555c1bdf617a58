// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device/event.h"

#include "device/graph/operations.h"
#include "engine/observe/observer.h"

#include <chrono>

namespace heddle {
namespace {

int64_t now() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

} // namespace

Handles<Event> &Event::handles() {
  static auto *handles = new Handles<Event>; // outlives the program's static objects
  return *handles;
}

std::shared_ptr<Event::Record> Event::current() const {
  std::lock_guard lock(mutex);
  return record_now;
}

cudaError_t Event::recordShared(DeviceStream &stream) {
  auto work = makeWork([shared = shared, number = shared->record()] {
    if (engine::observe::observer)
      engine::observe::observer->tellsHost();
    shared->reach(number);
  });
  device.submit(stream, std::move(work), Start::AtOnceIfIdle);
  return cudaSuccess;
}

cudaError_t Event::waitForShared(DeviceStream &stream) const {
  const uint64_t number = shared->newest();
  if (shared->reached(number))
    return cudaSuccess;
  auto work = makeWork([shared = shared, number] { shared->wait(number); });
  work->on_worker_only = true; // it blocks
  stream.device->submit(stream, std::move(work));
  return cudaSuccess;
}

std::shared_ptr<const Capture::Place> Event::capturedPlace() const {
  std::lock_guard lock(mutex);
  return captured;
}

/// An event that marks a place in a graph is never reached. Asking spoils the capture.
cudaError_t Event::refuseIfCaptured() const {
  auto place = capturedPlace();
  if (!place)
    return cudaSuccess;
  auto capture = place->capture.lock();
  if (!capture || capture->ended())
    return cudaErrorInvalidValue;
  capture->invalidate();
  return cudaErrorCapturedEvent;
}

cudaError_t Event::record(DeviceStream &stream, bool external) {
  if (stream.device != &device)
    return cudaErrorInvalidResourceHandle;
  if (cudaError_t error = Capture::admit(stream, true))
    return error;
  if (auto capture = stream.capture()) {
    if (external)
      return put(stream, std::make_shared<EventOperation>(shared_from_this(), true));
    std::lock_guard lock(mutex);
    captured = std::make_shared<Capture::Place>(capture->place(stream));
    return cudaSuccess;
  }
  if (external)
    return cudaErrorIllegalState;
  if (shared)
    return recordShared(stream);
  auto record = std::make_shared<Record>();
  std::lock_guard lock(mutex);
  record->point = device.submit(stream, makeWork([record] { record->nanoseconds = now(); }),
                                Start::AtOnceIfIdle);
  record_now = std::move(record);
  captured = nullptr;
  return cudaSuccess;
}

cudaError_t Event::query() const {
  if (cudaError_t error = refuseIfCaptured())
    return error;
  if (cudaError_t error = Capture::checkUnsafe())
    return error;
  if (shared && !shared->reached(shared->newest()))
    return cudaErrorNotReady;
  auto record = current();
  if (record && !record->point.reached())
    return cudaErrorNotReady;
  if (record)
    record->point.tellHost();
  return device.error();
}

cudaError_t Event::synchronize() const {
  if (cudaError_t error = refuseIfCaptured())
    return error;
  if (cudaError_t error = Capture::checkUnsafe())
    return error;
  if (shared)
    shared->wait(shared->newest());
  auto record = current();
  return device.synchronize(record ? record->point : Point());
}

cudaError_t Event::waitIn(DeviceStream &stream, bool external) {
  if (auto place = capturedPlace(); place && !external) {
    if (auto capture = place->capture.lock(); capture && !capture->ended())
      return capture->join(stream, *place);
    return cudaErrorInvalidValue; // that graph is complete
  }
  if (cudaError_t error = Capture::admit(stream, true))
    return error;
  auto record = current();
  if (auto capture = stream.capture()) {
    if (external)
      return put(stream, std::make_shared<EventOperation>(shared_from_this(), false));
    if (!record)
      return cudaSuccess;
    capture->invalidate();
    return cudaErrorStreamCaptureIsolation;
  }
  if (external)
    return cudaErrorIllegalState;
  if (shared)
    return waitForShared(stream);
  if (!record || (record->point.reached() && !engine::observe::observer))
    return cudaSuccess;
  auto work = makeWork([] {});
  work->after.push_back(record->point);
  stream.device->submit(stream, std::move(work));
  return cudaSuccess;
}

cudaError_t Event::elapsed(float &milliseconds, const Event &start, const Event &end) {
  if ((start.flags | end.flags) & cudaEventDisableTiming || &start.device != &end.device)
    return cudaErrorInvalidResourceHandle;
  if (start.capturedPlace() || end.capturedPlace())
    return cudaErrorCapturedEvent;
  auto from = start.current(), to = end.current();
  if (!from || !to)
    return cudaErrorInvalidResourceHandle;
  if (!from->point.reached() || !to->point.reached())
    return cudaErrorNotReady;
  from->point.tellHost();
  to->point.tellHost();
  milliseconds = float(double(to->nanoseconds - from->nanoseconds) / 1e6);
  return start.device.error();
}

} // namespace heddle

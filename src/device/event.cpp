// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device/event.h"

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

cudaError_t Event::record(DeviceStream &stream) {
  if (stream.device != &device)
    return cudaErrorInvalidResourceHandle;
  auto record = std::make_shared<Record>();
  std::lock_guard lock(mutex);
  record->point = device.submit(stream, makeWork([record] { record->nanoseconds = now(); }),
                                Start::AtOnceIfIdle);
  record_now = std::move(record);
  return cudaSuccess;
}

cudaError_t Event::query() const {
  auto record = current();
  if (record && !record->point.reached())
    return cudaErrorNotReady;
  return device.error();
}

cudaError_t Event::synchronize() const {
  auto record = current();
  return device.synchronize(record ? record->point : Point());
}

cudaError_t Event::waitIn(DeviceStream &stream) const {
  auto record = current();
  if (!record || record->point.reached())
    return cudaSuccess;
  auto work = makeWork([] {});
  work->after.push_back(record->point);
  stream.device->submit(stream, std::move(work));
  return cudaSuccess;
}

cudaError_t Event::elapsed(float &milliseconds, const Event &start, const Event &end) {
  if ((start.flags | end.flags) & cudaEventDisableTiming || &start.device != &end.device)
    return cudaErrorInvalidResourceHandle;
  auto from = start.current(), to = end.current();
  if (!from || !to)
    return cudaErrorInvalidResourceHandle;
  if (!from->point.reached() || !to->point.reached())
    return cudaErrorNotReady;
  milliseconds = float(double(to->nanoseconds - from->nanoseconds) / 1e6);
  return start.device.error();
}

} // namespace heddle

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An event: marks a place in a stream, and takes the time when the stream gets there.
#pragma once

#include "device/device.h"

namespace heddle {

/// What a cudaEvent_t points to. Thread-safe.
class Event {
public:
  Event(Device &device, unsigned flags) : device(device), flags(flags) {}
  /// All events of all devices, by handle.
  static Handles<Event> &handles();

  Device &device;

  /// Places the event at the end of the stream's present work; an earlier place is forgotten.
  cudaError_t record(DeviceStream &stream);
  /// cudaErrorNotReady if the stream has not got there. An event never recorded is complete.
  cudaError_t query() const;
  cudaError_t synchronize() const;
  /// Lets the stream's later work wait for the event as it is now.
  cudaError_t waitIn(DeviceStream &stream) const;
  static cudaError_t elapsed(float &milliseconds, const Event &start, const Event &end);

private:
  struct Record {
    Point point;
    std::atomic<int64_t> nanoseconds = 0;
  };
  const unsigned flags;
  mutable std::mutex mutex;
  std::shared_ptr<Record> record_now;

  std::shared_ptr<Record> current() const;
};

} // namespace heddle

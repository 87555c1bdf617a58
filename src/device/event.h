// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An event: marks a place in a stream, and takes the time when the stream gets there.
#pragma once

#include "device/context.h"
#include "device/graph/capture.h"
#include "device/interprocess/shared_event.h"

namespace heddle {

/// What a cudaEvent_t points to. Thread-safe.
class Event : public std::enable_shared_from_this<Event> {
public:
  /// `shared`: what the event has in common with other processes, if it is for them, too.
  Event(Device &device, unsigned flags, std::shared_ptr<SharedEvent> shared = nullptr)
      : device(device), flags(flags), shared(std::move(shared)) {}
  /// All events of all devices, by handle.
  static Handles<Event> &handles();

  Device &device;
  const unsigned flags;
  const std::shared_ptr<SharedEvent> shared;
  const uint64_t id = ++last_id; // no two events of the process have the same
  const unsigned context = Context::currentOwner(device.ordinal); // whose it is

  /// Places the event at the end of the stream's present work; an earlier place is forgotten. In a
  /// capture that is a place in the graph, unless the event is `external`: then it is a node.
  cudaError_t record(DeviceStream &stream, bool external = false);
  /// cudaErrorNotReady if the stream has not got there. An event never recorded is complete.
  cudaError_t query() const;
  cudaError_t synchronize() const;
  /// Lets the stream's later work wait for the event as it is now. In a capture, see record.
  cudaError_t waitIn(DeviceStream &stream, bool external = false);
  static cudaError_t elapsed(float &milliseconds, const Event &start, const Event &end);

private:
  inline static std::atomic<uint64_t> last_id = 0;
  struct Record {
    Point point;
    std::atomic<int64_t> nanoseconds = 0;
  };
  mutable std::mutex mutex;
  std::shared_ptr<Record> record_now;
  std::shared_ptr<const Capture::Place> captured; // if it was last recorded in a capture

  std::shared_ptr<Record> current() const;
  std::shared_ptr<const Capture::Place> capturedPlace() const;
  cudaError_t refuseIfCaptured() const;
  cudaError_t recordShared(DeviceStream &stream);
  cudaError_t waitForShared(DeviceStream &stream) const;
};

} // namespace heddle

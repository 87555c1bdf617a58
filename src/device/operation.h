// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An operation: what one asynchronous call does, apart from when and where.
//
// Every asynchronous call makes one and puts it on a stream. There it runs once; but if the stream
// is being captured, it becomes a node of a graph instead, which may run it many times. Operations
// do not change once they are made, so a stream, graphs, their clones and executables share them.
#pragma once

#include "device/device.h"

namespace heddle {

class Operation {
public:
  explicit Operation(Device &device) : device(device) {}
  virtual ~Operation() = default;
  virtual cudaGraphNodeType type() const = 0;
  /// Does it, now. Not called on a device that has failed.
  virtual void run() const noexcept = 0;
  /// Calls the program's own code: see Work.
  virtual bool onWorkerOnly() const { return false; }

  Device &device;
};

/// The call that has asked for an operation.
struct Origin {
  const void *stream = nullptr;     // tells streams apart; null: a graph's
  engine::observe::StreamName name; // of the stream, or that the graph was launched into
  uint64_t call = 0;                // the number of the call
  bool of_async_call = false;
};

/// Runs it; an observer of the host's side (engine/observe/host.h) is told.
void runObserved(const Operation &operation, const Origin &origin) noexcept;

using OperationPointer = std::shared_ptr<const Operation>;

struct Putting {
  Start start = Start::Now;
  bool wait = false;      // the call returns when the operation is done, with the device's error
  bool capturable = true; // calls such as cudaMemcpy are not
};

/// Puts the operation on the stream, or into the graph that the stream's capture makes.
cudaError_t put(DeviceStream &stream, OperationPointer operation, const Putting &how = {});

} // namespace heddle

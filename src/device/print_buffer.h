// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where a kernel's printf output waits until the host program synchronises with the device.
#pragma once

#include "engine/launch.h"

#include <atomic>
#include <deque>
#include <mutex>
#include <string>

namespace heddle {

/// A queue of a fixed size (cudaLimitPrintfFifoSize): when it is full, the oldest output is lost,
/// as on a GPU (CUDA C++ Programming Guide, "Formatted Output"). Thread-safe.
class PrintBuffer final : public engine::PrintSink {
public:
  explicit PrintBuffer(size_t capacity) : capacity(capacity) {}

  void write(std::string_view text) override;
  /// Writes everything to stdout, in order.
  void flush();
  void clear();
  void setCapacity(size_t bytes);

private:
  std::mutex mutex;
  std::deque<std::string> records;
  size_t capacity;
  size_t bytes = 0;
  std::atomic<bool> empty = true; // so that flush costs nothing when no kernel prints

  void makeRoom(size_t wanted);
};

} // namespace heddle

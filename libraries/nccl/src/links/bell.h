// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What wakes a rank's thread that sleeps until a peer has done something, or until the communicator
// is aborted. Threads that wait in poll() have its descriptor among theirs.
#pragma once

#include <atomic>
#include <sys/eventfd.h>
#include <unistd.h>

namespace heddle::nccl {

class Bell {
public:
  Bell() : descriptor_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {}
  ~Bell() {
    if (descriptor_ >= 0)
      close(descriptor_);
  }
  Bell(const Bell &) = delete;
  Bell &operator=(const Bell &) = delete;

  int descriptor() const { return descriptor_; }

  /// The owner is about to sleep; it looks once more before it does.
  void arm() { armed_ = true; }
  /// The owner is awake.
  void disarm() {
    armed_ = false;
    uint64_t ignored;
    if (!stopped_)
      while (read(descriptor_, &ignored, sizeof ignored) > 0)
        ;
  }
  /// Something has changed that the owner may wait for.
  void ring() {
    if (armed_.load() && armed_.exchange(false))
      signal();
  }
  /// The owner is to give up whatever it waits for, now and later.
  void stop() {
    stopped_ = true;
    signal();
  }
  bool stopped() const { return stopped_; }

private:
  void signal() {
    const uint64_t one = 1;
    [[maybe_unused]] const auto written = write(descriptor_, &one, sizeof one);
  }

  int descriptor_;
  std::atomic<bool> armed_ = false, stopped_ = false;
};

} // namespace heddle::nccl

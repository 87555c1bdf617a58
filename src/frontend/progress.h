// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What heddlecc is doing, for a person who waits.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

namespace heddle::frontend {

/// One source file on its way. When it takes longer than three seconds and the standard error is a
/// terminal, a line there names the present phase, and one each later phase. Elsewhere (logs, a
/// build system's pipe) nothing is written.
class Progress {
public:
  explicit Progress(std::string source);
  ~Progress();
  Progress(const Progress &) = delete;

  /// Begins a phase, of which `what` says what is compiled: "device code".
  void enter(std::string what);

private:
  void watch();
  void tell() const; // with the mutex held

  const std::string source_;
  const std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
  std::mutex mutex_;
  std::condition_variable ended_;
  std::string phase_;
  bool done_ = false, slow_ = false;
  std::thread watcher_; // only with a terminal
};

} // namespace heddle::frontend

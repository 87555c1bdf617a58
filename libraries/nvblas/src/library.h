// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the routines share: the configuration, the log, cuBLAS, and the CPU's BLAS, which computes
// what is too small or what the configuration keeps from the GPUs. Without one that the
// configuration names, it is the one behind cuBLAS.
#pragma once

#include "config.h"

#pragma GCC visibility push(default)
#include <cublasXt.h>
#pragma GCC visibility pop

#include <atomic>
#include <cstdio>
#include <mutex>
#include <string>

namespace heddle::nvblas {

class Library {
public:
  /// With the first call, reads the configuration and says so in the log. It lives as long as the
  /// process.
  static Library &instance();

  /// Whether a routine that is worth it should go to the GPUs.
  bool wantsGpu(const char *upper_name) const;
  /// Runs call(cublasXtHandle_t) alone; false if that failed, with a line in the log.
  template <class Call> bool onGpu(const char *name, Call call) {
    const std::lock_guard lock(mutex_);
    return start() && ended(name, call(handle_));
  }
  /// The CPU's routine. If there is none, the program cannot go on: ends it with a message.
  void *onCpu(const char *name) const;

  /// The line of a call, if calls are to be logged.
  void trace(const char *name, bool gpu, const std::string &arguments);

private:
  Library();
  void say(const std::string &text) const;
  void openLog();
  void openCpuLibrary();
  void chooseDevices(int count);
  bool start();
  bool ended(const char *name, cublasStatus_t status) const;
  void setRatios();

  Config config_;
  FILE *log_ = stderr;
  void *cpu_ = nullptr;
  std::vector<int> devices_;
  std::mutex mutex_;
  cublasXtHandle_t handle_ = nullptr;
  std::atomic<bool> failed_ = false; // cuBLAS could not be started
};

} // namespace heddle::nvblas

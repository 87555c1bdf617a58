// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which Python code has launched which kernel.
#pragma once

#include "engine/observe/host.h"
#include "engine/observe/python_frames.h"
#include "profile/data.h"

#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

namespace heddle::profile {

/// Thread-safe.
class Launchers {
public:
  /// A call begins on this thread, which holds no lock.
  void calling(const engine::observe::Call &call);
  /// A kernel has ended, which is counted under this key.
  void ended(const std::string &key, const engine::observe::Task &task);
  /// Those of a kernel, those that take most time first.
  std::vector<Launcher> of(const std::string &key) const;

private:
  using Frames = std::vector<engine::observe::PythonFrame>;
  struct Sum {
    uint64_t launches = 0, nanoseconds = 0;
  };
  const bool python_ = engine::observe::findPython();
  mutable std::mutex mutex_;
  std::set<Frames> frames_;
  std::map<uint64_t, const Frames *> calls_; // by number; the newest, which may have work to come
  std::map<std::string, std::map<const Frames *, Sum>> sums_;
};

} // namespace heddle::profile

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where in the host's program launches come from.
#pragma once

#include "check/host_place.h"
#include "engine/observe/observer.h"

#include <map>
#include <mutex>
#include <string>
#include <unordered_map>

namespace heddle::check {

/// Where a kernel was launched. Plain data but for the name, which stays as long as the process.
struct LaunchPlace {
  uint64_t order = 0; // in which the host has asked for it
  HostPlace place;
  const std::string *parent = nullptr; // the kernel that has launched it, if one has

  void describe(std::vector<Place> &launched, std::string &launcher) const;
};

/// Thread-safe.
class LaunchPlaces {
public:
  /// The calling thread asks for work.
  void issued(const engine::observe::StreamPoint &work);
  /// The calling thread begins it.
  void begin(const engine::observe::StreamPoint &work);
  void kernelBegin(const engine::Launch &launch);
  void kernelEnd(const engine::Launch &launch);
  /// Of the work that this thread runs.
  static const LaunchPlace &current();
  /// Of a launch that runs.
  LaunchPlace of(const engine::Launch &launch) const;

private:
  struct Run {
    LaunchPlace place;
    const std::string *kernel;
  };
  mutable std::mutex mutex_;
  uint64_t count_ = 0;
  std::map<std::pair<const void *, uint64_t>, LaunchPlace> waiting_; // by stream and ticket
  std::unordered_map<uint64_t, Run> running_;                        // by Launch::number
  std::map<std::string, int> kernels_;                               // names
};

} // namespace heddle::check

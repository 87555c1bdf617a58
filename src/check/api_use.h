// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a program uses CUDA's calls: errors that it has never asked about, and work in streams that
// it never waits for.
#pragma once

#include "check/finding.h"
#include "check/host_place.h"
#include "engine/observe/observer.h"

#include <map>
#include <mutex>
#include <vector>

namespace heddle::check {

/// Thread-safe.
class ApiUse {
public:
  /// `work`: whether work is looked at, which costs a look at the stack for each operation.
  explicit ApiUse(bool work) : work_(work) {}

  void failed(const char *error, const char *text, int code);
  /// The call that this thread is in has been told otherwise, and will fail.
  static void told();
  /// The program has asked for the last error, or for the words of an error.
  void asked();
  void issued(const engine::observe::StreamPoint &work);
  void hostWaited(const engine::observe::StreamPoint &point);

  /// Failures that have not been asked about; at the end of the program also what is not waited
  /// for.
  std::vector<Finding> findings(bool at_end) const;

private:
  struct Failure {
    HostPlace place;
    const char *error, *text;
    int code;
    uint64_t count;
  };
  struct Newest {
    uint64_t ticket = 0, waited = 0;
    HostPlace place;
  };
  const bool work_;
  mutable std::mutex mutex_;
  std::vector<Failure> failures_; // that are past: what came after was no question
  std::map<const void *, Newest> streams_;
};

} // namespace heddle::check

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What programs have said about their managed memory: cudaMemAdvise and prefetches. It changes no
// result; cudaMemRangeGetAttribute tells it again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <vector>

namespace heddle {

/// Of each byte. Devices are numbered, the host is cudaCpuDeviceId, none is cudaInvalidDeviceId.
struct Advice {
  bool read_mostly = false;
  int preferred = -2, last_prefetch = -2;
  std::set<int> accessed_by;
};

/// Thread-safe.
class ManagedAdvice {
public:
  static ManagedAdvice &instance();

  void change(const void *start, size_t bytes, const std::function<void(Advice &)> &change);
  /// The memory is freed.
  void forget(const void *start, size_t bytes);
  /// The advice for each part of a range.
  std::vector<Advice> parts(const void *start, size_t bytes) const;

private:
  mutable std::mutex mutex;
  std::map<uintptr_t, Advice> from; // each holds up to the next one's beginning

  std::map<uintptr_t, Advice>::iterator split(uintptr_t at);
};

} // namespace heddle

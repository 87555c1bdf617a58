// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Host code that accesses memory of devices.
#pragma once

#include "check/host_place.h"
#include "check/memory_map.h"
#include "engine/observe/observer.h"

#include <array>
#include <atomic>
#include <mutex>
#include <optional>
#include <vector>

namespace heddle::check {

/// Thread-safe.
class HostAccesses {
public:
  /// In a signal handler, where an allocation could wait for ever for what the interrupted code
  /// holds.
  /// Returns whether a library of Heddle's did it, which is right and is not noted.
  bool note(const engine::observe::HostAccess &access, const MemoryMap &memory);
  /// Whether there is something since the last call.
  bool isFresh() { return count_ != told_.exchange(count_); }
  std::vector<Finding> findings() const;

private:
  struct Noted {
    HostPlace place;
    uint64_t address;
    bool writes;
    std::optional<Block> block;
    bool freed;
  };
  static constexpr size_t most = 256; // further ones are not told
  std::mutex mutex_;
  std::array<Noted, most> noted_;
  std::atomic<size_t> count_ = 0, told_ = 0;
};

} // namespace heddle::check

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which parts of managed memory would move between host and device: a model (docs/metrics.md,
// "Unified memory").
//
// Host and kernels share one memory here, so nothing moves. What each side touches is found by
// clearing the memory's entries in the page table whenever the sides change, and looking later
// which ones the CPU has needed again (proc(5), /proc/pid/pagemap). The program notices nothing.
#pragma once

#include "engine/observe/host.h"
#include "profile/data.h"

#include <cstdint>
#include <map>
#include <vector>

namespace heddle::profile {

/// Not thread-safe.
class ManagedPages {
public:
  ManagedPages() = default;
  ~ManagedPages();
  ManagedPages(const ManagedPages &) = delete;
  ManagedPages &operator=(const ManagedPages &) = delete;

  void allocated(const void *base, size_t bytes);
  void freed(const void *base);
  void hinted(const engine::observe::ManagedHint &hint);
  /// A device begins to work; several may at a time.
  void begins(engine::observe::TaskKind kind);
  void ends(engine::observe::TaskKind kind);
  /// Of all until now.
  UnifiedMemory traffic();

private:
  enum class Side { Host, Device, Copy };
  enum class Location : uint8_t { Nowhere, Host, Device, Both };
  struct Block {
    Location location = Location::Nowhere;
    bool read_mostly = false, stays_on_host = false;
  };
  struct Allocation {
    size_t bytes = 0;
    std::vector<Block> blocks;
  };

  /// What a side has touched since the sides changed last.
  void settle(Side side);
  void touch(uintptr_t base, Allocation &allocation, Side side);
  void move(const std::vector<bool> &blocks, Transfers &transfers);
  std::vector<bool> touched(uintptr_t base, const Allocation &allocation);

  std::map<uintptr_t, Allocation> allocations_;
  UnifiedMemory traffic_;
  unsigned active_ = 0;
  bool kernels_ = false; // among what has been active since the sides changed
  int pagemap_ = -1;
};

} // namespace heddle::profile

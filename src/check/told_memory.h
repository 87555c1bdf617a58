// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a program tells of its memory by NVTX: allocations that it gives out in pieces itself,
// names, and what kernels may do.
#pragma once

#include "check/memory_map.h"
#include "engine/observe/observer.h"

#include <atomic>
#include <map>
#include <optional>
#include <shared_mutex>

namespace heddle::check {

/// Thread-safe.
class ToldMemory {
public:
  explicit ToldMemory(MemoryMap &allocations) : allocations_(allocations) {}

  void note(engine::observe::MemoryNote what, uint64_t base, uint64_t value, const char *name);
  /// An allocation has been freed, and the pool that it was with it.
  void freed(uint64_t base, uint64_t bytes);
  /// Whether anything has been told that limits accesses. Where not, nothing else is to be asked.
  bool any() const { return any_.load(std::memory_order_relaxed); }

  /// Whether such an access is right, within the allocation `extent`, which becomes that of the
  /// piece; or empty, if what is right for this access may be wrong for others.
  bool allows(engine::observe::AccessKind kind, uint64_t address, uint64_t bytes,
              engine::Extent &extent) const;
  /// The piece or allocation where such an access lies, if it is forbidden there.
  std::optional<Block> forbidding(engine::observe::AccessKind kind, uint64_t address) const;
  /// Whether one begins there.
  bool isPool(uint64_t base) const;
  /// What the address lies in: a pool's pieces, or allocations.
  const MemoryMap &mapOf(uint64_t address) const;
  /// The piece there, or the allocation; alive, or the last one that was.
  std::optional<Block> at(uint64_t address) const;

private:
  bool isInPool(uint64_t address) const;
  void endPool(uint64_t base);
  MemoryMap &allocations_;
  MemoryMap pieces_;
  mutable std::shared_mutex mutex_;
  std::map<uint64_t, uint64_t> pools_; // ends by base
  std::atomic<bool> any_ = false;
};

} // namespace heddle::check

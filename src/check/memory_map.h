// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which memory a program has allocated and freed, and where in its source.
#pragma once

#include "check/host_place.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <shared_mutex>
#include <vector>

namespace heddle::check {

/// An allocation, alive or freed.
struct Block {
  uint64_t base = 0, bytes = 0;
  uint64_t number = 0; // in the order of allocation, from 1 on
  bool heap = false;   // by malloc in a kernel
  HostPlace allocated, freed;
  uint64_t end() const { return base + bytes; }
  bool holds(uint64_t address, uint64_t size) const {
    return address >= base && size <= bytes && address - base <= bytes - size;
  }
};

/// Thread-safe.
class MemoryMap {
public:
  void add(uint64_t base, uint64_t bytes, bool heap);
  /// Nothing if no allocation begins there.
  void free(uint64_t base);

  /// The allocation that lies there, and the one that did last.
  std::optional<Block> alive(uint64_t address) const;
  std::optional<Block> freed(uint64_t address) const;
  /// The living allocation that ends nearest before, or begins nearest behind, an address in none.
  std::optional<Block> nearest(uint64_t address) const;
  /// Those that are alive, in order of allocation.
  std::vector<Block> all() const;

private:
  mutable std::shared_mutex mutex_;
  std::map<uint64_t, Block> alive_, freed_; // by base
  uint64_t last_number_ = 0;
};

} // namespace heddle::check

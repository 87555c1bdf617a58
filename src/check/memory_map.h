// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which memory a program has allocated and freed, and where in its source.
#pragma once

#include "check/host_place.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <shared_mutex>
#include <string>
#include <vector>

namespace heddle::check {

/// Bits of engine::observe::MemoryPermissions.
inline constexpr uint32_t all_permissions = 7;

/// An allocation, alive or freed.
struct Block {
  uint64_t base = 0, bytes = 0;
  uint64_t number = 0; // in the order of allocation, from 1 on
  bool heap = false;   // by malloc in a kernel
  HostPlace allocated, freed;
  std::string name; // that the program has given it
  uint32_t permissions = all_permissions;
  uint64_t end() const { return base + bytes; }
  bool holds(uint64_t address, uint64_t size) const {
    return address >= base && size <= bytes && address - base <= bytes - size;
  }
};

/// Thread-safe.
class MemoryMap {
public:
  /// `function`: the call that allocates, if it is none of the library's.
  void add(uint64_t base, uint64_t bytes, bool heap, const char *function = nullptr);
  /// Nothing if no allocation begins there.
  void free(uint64_t base);
  /// Calls does(block) for the living allocation that begins there; false if there is none.
  bool change(uint64_t base, const std::function<void(Block &)> &does);
  void changeAll(const std::function<void(Block &)> &does);

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

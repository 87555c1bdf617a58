// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads that need not be looked at again.
//
// Within an epoch no thread learns what others have done: of a launch, until a thread acquires what
// another one has released, or the grid meets; of a block's interval between two barriers,
// likewise. If two blocks have read a word in an epoch, whatever thread writes it then races with
// one of them, so a third one's read adds nothing; nor does a third warp's in one block. (FastTrack
// calls the like "same epoch": Flanagan and Freund, PLDI 2009.) The same site has also found that
// the access is right, and that the word has been written, and would find it again.
#pragma once

#include "engine/observe/observer.h"

#include <cstdint>
#include <memory>

namespace heddle::check {

/// Forgets what it has no room for. Not thread-safe.
class Seen {
public:
  /// Whether the site has seen all that lanes of these rows access, in one of two epochs. (It may
  /// say no where it has.)
  bool holds(const engine::observe::Access &access, const engine::observe::AddressRows &rows,
             uint64_t launch_epoch, uint64_t block_epoch) const;
  /// The lanes of which it is so, by each one's address.
  uint32_t lanesOf(const engine::observe::Access &access, uint64_t launch_epoch,
                   uint64_t block_epoch) const;
  /// These words of the line that the address lies in.
  void add(const engine::observe::Access &access, uint64_t address, uint32_t words, uint64_t epoch);
  /// Allocations have changed.
  void forget();

private:
  struct Entry {
    uint64_t line;
    const engine::observe::Site *site;
    const void *base; // Access::base
    uint64_t epoch;
    uint32_t words;
  };
  static constexpr size_t places = 1 << 13; // a power of two

  bool holds(const engine::observe::Access &access, uint64_t begin, uint64_t end,
             uint64_t launch_epoch, uint64_t block_epoch) const;
  Entry &entry(const engine::observe::Site &site, uint64_t line) const {
    return entries_[(line + reinterpret_cast<uintptr_t>(&site) / sizeof(site) * 61) % places];
  }

  std::unique_ptr<Entry[]> entries_ = std::make_unique<Entry[]>(places);
  bool empty_ = true;
};

} // namespace heddle::check

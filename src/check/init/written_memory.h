// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which bytes of the program's allocations have been written since they were allocated.
//
// Memory that is not followed counts as written: what the host may write unseen
// (pinned, managed and registered memory), variables, and memory of graphs.
#pragma once

#include "check/init/written_bits.h"

#include <map>
#include <memory>
#include <shared_mutex>

namespace heddle::check {

/// Thread-safe.
class WrittenMemory {
public:
  /// Nothing of it has been written. If there is no memory for the bits, it is not followed, and
  /// `full` says so from then on.
  void add(uint64_t base, uint64_t bytes);
  void remove(uint64_t base);
  /// The same as add for a part of what has been added, which a program gives out itself. It takes
  /// the place of those parts that it overlaps.
  void addPart(uint64_t base, uint64_t bytes);
  /// Null if the address is in nothing that is followed.
  std::shared_ptr<WrittenBytes> at(uint64_t address) const;

  void write(uint64_t address, uint64_t bytes);
  /// What has been written of the source now has been of the destination, too; what has not been
  /// stays as it was there.
  void copy(uint64_t to, uint64_t from, uint64_t bytes);
  /// All that is alive may have been written.
  void writeAll();
  /// How many bytes of the block that begins there have never been written; 0 if it is not
  /// followed.
  uint64_t unwrittenBytes(uint64_t base) const;
  bool full() const { return full_; }

private:
  using Blocks = std::map<uint64_t, std::shared_ptr<WrittenBytes>>; // by base
  std::shared_ptr<WrittenBytes> made(uint64_t base, uint64_t bytes);
  void removeParts(uint64_t begin, uint64_t end);

  mutable std::shared_mutex mutex_;
  Blocks blocks_, parts_;
  std::atomic<bool> full_ = false;
};

} // namespace heddle::check

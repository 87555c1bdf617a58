// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds reads of bytes that nothing has written.
//
// What is loaded only to be stored again is no use of it, as structures are copied with their
// padding; then the copy counts as unwritten where the original does.
#pragma once

#include "check/init/written_memory.h"
#include "engine/observe/observer.h"

#include <functional>

namespace heddle::check {

class Unwritten {
public:
  WrittenMemory memory; // of devices, by cudaMalloc and its kin and by malloc in kernels

  /// AccessKind::Source: where the lanes' next store has its values from.
  static void noteSource(const engine::observe::Access &access);
  /// The same of addresses in rows, where nothing is unwritten that is read; else false, and
  /// nothing has been noted.
  bool lookAtRows(const engine::observe::Access &access,
                  const engine::observe::AddressRows &rows) const;
  /// Notes what the lanes write. Calls `found` with the lane and the first byte for those that use
  /// what has not been written. Returns the part of `extent`, where the lanes' access may be, in
  /// which everything is written, where it can be kept (Access::slot): later accesses there need
  /// not be looked at.
  engine::observe::ExtentSlot
  look(const engine::observe::Access &access, uint32_t lanes,
       const engine::observe::ExtentSlot &extent,
       const std::function<void(uint32_t lane, uint64_t first)> &found) const;

private:
  struct Region {
    uint64_t begin = 1, end = 0;
    WrittenBits bits;
    std::shared_ptr<WrittenBytes> owner; // of an allocation
    bool followed = false;
    void set(uint64_t address, uint64_t bytes) const;
  };
  Region regionAt(const engine::observe::Access &access, uint64_t address) const;
  const Region &lastRegion(const engine::observe::Access &access, uint64_t address) const;
  void store(const engine::observe::Access &access, uint32_t lane, const Region &region) const;
};

} // namespace heddle::check

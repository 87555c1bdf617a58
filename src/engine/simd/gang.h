// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One gang of a block: the lanes that run together, and the wait states of the others.
//
// Waiting lanes are in records, as compiled code has written them. The masks say what each lane
// waits for; lanes of one record may come to differ in that (a shuffle that only some can
// complete), and lanes of several records may continue as one group if they are at the same place
// with the same values.
#pragma once

#include "engine/abi.h"

#include <algorithm>
#include <cstddef>

namespace heddle::engine::simd {

// How often waiting lanes poll per turn. Fewer iterations would cost less than the switch of gangs.
inline constexpr int64_t fewest_rounds = 4, most_rounds = 64;

struct Gang : GangContext {
  uint32_t present = 0; // lanes that exist: the last gang of a block may be partial
  // The states of live lanes; those in no mask are running, or were set aside by a sweep.
  uint32_t ready = 0, spinning = 0, at_barrier = 0, at_collective = 0, at_grid = 0;
  uint32_t used = 0; // slots with a record
  // Iterations of a waiting loop before other gangs get a turn; decreases while nothing changes.
  int64_t rounds = most_rounds;
  uint32_t record_bytes = 0;
  char *slots = nullptr;  // one record per lane …
  size_t slot_stride = 0; // … this far apart

  GroupRecord &slot(uint32_t index) const {
    return *reinterpret_cast<GroupRecord *>(slots + index * slot_stride);
  }
  uint32_t live() const { return present & ~ended; }
  uint32_t waiting() const { return ready | spinning | at_barrier | at_collective | at_grid; }

  void reset() {
    ended = ~present, ready = spinning = at_barrier = at_collective = at_grid = used = 0;
    rounds = most_rounds;
  }
  /// Called after a turn; `only`: its lanes have done nothing but spin.
  void hasSpun(bool only) {
    rounds = only ? std::max(rounds / 4, fewest_rounds) : std::min(rounds * 2, most_rounds);
  }
  /// Copies a record into a free slot; returns the copy.
  const GroupRecord &keep(const GroupRecord &record);
  /// Removes from their records those of the `candidates` that can continue as one group: the ones
  /// earliest in the program, so that diverged lanes reconverge. `group` becomes their record.
  void take(uint32_t candidates, GroupRecord &group);
};

} // namespace heddle::engine::simd

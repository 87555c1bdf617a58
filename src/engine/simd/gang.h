// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One gang of a block: the lanes that run together, and what those that wait are waiting for.
//
// Lanes that wait lie in records, as compiled code has written them. The masks say what each lane
// waits for; a record's lanes may come to differ in that (a shuffle that only some can finish), and
// lanes from several records may go on as one group, if they are at the same place with the same
// values.
#pragma once

#include "engine/abi.h"

#include <algorithm>
#include <cstddef>

namespace heddle::engine::simd {

// How often lanes that wait look again in a turn. Fewer rounds cost less than the change of gangs.
inline constexpr int64_t fewest_rounds = 4, most_rounds = 64;

struct Gang : GangContext {
  uint32_t present = 0; // lanes that exist: the last gang of a block may be partial
  // What live lanes do; those in no mask are running, or have been set aside by a sweep.
  uint32_t ready = 0, spinning = 0, at_barrier = 0, at_collective = 0, at_grid = 0;
  uint32_t used = 0; // slots that hold a record
  // Of a loop that may wait, before other gangs get a turn: the fewer, the longer nothing has come.
  int64_t rounds = most_rounds;
  uint32_t record_bytes = 0;
  char *slots = nullptr;  // room for a record a lane …
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
  /// After a turn in which its lanes have only spun, or have not.
  void hasSpun(bool only) {
    rounds = only ? std::max(rounds / 4, fewest_rounds) : std::min(rounds * 2, most_rounds);
  }
  /// Copies a record into a free slot; returns the copy.
  const GroupRecord &keep(const GroupRecord &record);
  /// Of `candidates`, takes those out of their records that can go on as one group: the ones that
  /// are least far in the program, so that lanes that have parted meet again. `group` becomes their
  /// record.
  void take(uint32_t candidates, GroupRecord &group);
};

} // namespace heddle::engine::simd

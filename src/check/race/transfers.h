// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies and fills as accesses of memory, for the search of races.
//
// As long as all work follows from the first to the last, nothing can race with a copy, and it is
// only noted. With a second stream, or nodes of a graph, copies are looked at word by word, the
// noted ones first.
#pragma once

#include "check/race/races.h"

#include <vector>

namespace heddle::check {

/// Not thread-safe.
class Transfers {
public:
  Transfers(Runs &runs, Races &races) : runs_(runs), races_(races) {}

  /// A part of a copy or fill has read or written these bytes.
  void add(const RunPlace &run, uint64_t begin, uint64_t bytes, bool writes);
  /// Before work that may run beside what has been noted.
  void lookAtNoted();
  /// The host has waited: what it knows to be done can race with nothing to come.
  void forgetKnown();
  /// Memory has been freed.
  void forget(uint64_t begin, uint64_t end);

  /// Of more than this, what is older is forgotten.
  static constexpr size_t most_noted = 1 << 18;

private:
  struct Noted {
    RunPlace run;
    uint64_t begin, bytes;
    bool writes;
    SegmentId before; // it comes before this segment and what follows
  };
  /// `now`: the next segment, of a transfer that has been noted; else 0.
  void lookAt(const Noted &transfer, SegmentId now);
  Runs &runs_;
  Races &races_;
  std::vector<Noted> noted_;
};

} // namespace heddle::check

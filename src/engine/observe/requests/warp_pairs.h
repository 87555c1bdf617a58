// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Warps of 64 threads: two neighbouring gangs of 32, which run one after the other, are put
// together.
//
// A warp of 64 executes a basic block once for all of its threads that are in the same rounds of
// the loops around it. So what its halves do at one place with the same key (the numbers of those
// rounds) is one visit of the whole; this is what a gang of 64 lanes would do.
#pragma once

#include "engine/observe/counted_site.h"

#include <cstddef>
#include <unordered_map>
#include <utility>
#include <vector>

namespace heddle::engine::observe {

/// A visit to a place by a warp of 64: the lanes of each half, and those that take the branch.
struct PairVisit {
  const CountedSite *site;
  uint32_t lanes[2] = {}, taken[2] = {};
  uint32_t rank[2] = {}; // which of the half's visits to such places it is, from 1 on; 0: none
};

/// What one pair of warps does in a block.
class WarpPair {
public:
  void visit(const CountedSite &site, uint32_t half, uint32_t lanes, uint32_t taken, uint64_t key);
  /// Of all branches of a place in the source (CountedSite::visit_slot), in the order in which the
  /// whole warp comes there. Where only one half takes part, the lower half goes first.
  std::vector<const PairVisit *> inOrder(uint32_t visit_slot) const;
  const std::vector<PairVisit> &all() const { return visits_; }
  void clear();

private:
  struct Place {
    const CountedSite *site;
    uint64_t key;
    uint32_t again; // the how many-th time with this key, as in loops that have no single entry
    bool operator==(const Place &) const = default;
  };
  struct Hash {
    size_t operator()(const Place &place) const {
      return (reinterpret_cast<uintptr_t>(place.site) ^ place.key) * 0x9e3779b97f4a7c15 +
             place.again;
    }
  };
  std::vector<PairVisit> visits_;
  std::unordered_map<Place, size_t, Hash> known_;   // numbers in visits_
  std::unordered_map<uint32_t, uint32_t> ranks_[2]; // by visit_slot
};

} // namespace heddle::engine::observe

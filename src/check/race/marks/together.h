// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What lanes of a warp do to words of a line, looked at as one access where that is exact.
//
// That is so for plain accesses of whole words, as long as all that was done to these words before
// is ordered by what holds for the whole warp: an earlier launch, a barrier of the block or of all
// lanes of the warp, or the thread itself. All else, each race above all, is left to Races, which
// looks at each lane and each byte; both come to the same.
#pragma once

#include "check/race/marks/pieces.h"
#include "check/race/marks/runs.h"

namespace heddle::check {

class Together {
public:
  /// `lanes` of the warp are all in one segment.
  Together(const Runs &runs, const BlockRun &block, uint32_t warp, uint32_t lanes);

  /// Changes the cell to what it is after a plain access with this mark, and returns true; or
  /// leaves it.
  bool touch(Cell &cell, uint32_t words, const Mark &mine, bool alone, bool writes,
             bool shared) const;
  /// Whose further reads of these words, which have been read, would come to nothing new (Seen).
  enum class Reach { Warp, Block, Launch };
  Reach reachOf(const Cell &cell, bool shared) const;
  SegmentId segment() const { return segment_; }
  /// Marks before it are as none.
  SegmentId stale(bool shared) const { return shared ? block_.first : known_from_; }

private:
  enum class Past { Stale, Ordered, Unordered, Unknown };
  Past past(const Mark &mark, uint32_t words, const Mark &mine, bool alone, bool shared) const;
  Past pastOfWarp(const Segment &segment) const;
  bool add(Mark &mark, uint32_t words, const Mark &mine, bool alone, bool shared) const;
  static bool unite(Mark &mark, uint32_t words, const Mark &mine, bool alone);

  const Runs &runs_;
  const BlockRun &block_;
  const Warp &warp_;
  const uint32_t number_; // of the warp
  SegmentId segment_, known_from_;
  uint32_t generation_;
};

} // namespace heddle::check

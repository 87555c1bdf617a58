// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a worker gets its blocks: several at a time, in ascending order.
//
// A grid is divided into as many parts as workers may come. Each worker begins with its own part,
// the same one in each launch of a grid of that size: what a kernel works on lies in the caches of
// the core that has worked on it before, and on large processors it takes half a microsecond to
// come from another one's. Who has finished helps where most is left.
//
// A chunk is as many blocks as take some tens of microseconds, judged by the chunk before, so that
// workers do not queue for them; near the end of a part chunks become smaller, so that all workers
// end together.
//
// Kernels whose blocks wait for each other expect that a block's predecessors have begun, as on a
// GPU. As soon as one has to wait, blocks are handed out one by one, the first of all that are
// left.
#pragma once

#include "engine/schedule/grid.h"

#include <chrono>

namespace heddle::engine {

class Chunks {
public:
  /// `worker`: whose part to begin with, modulo their number.
  explicit Chunks(Grid &grid, uint64_t worker = 0)
      : grid_(grid), own_(worker % grid.parts.size()),
        block_nanoseconds_(grid.expected_block_nanoseconds), chunk_start_(grid.start) {}

  /// The next block's index; false if no block is left.
  bool next(uint64_t &index) {
    if ((next_ == end_ || mustGoBack()) && !refill())
      return false;
    index = next_++;
    return true;
  }
  /// How many blocks behind that one are this worker's already.
  uint64_t more() const { return end_ - next_; }
  /// Takes that many of them.
  void skip(uint64_t blocks) { next_ += blocks; }
  /// Whether the next block is one that is not this worker's yet.
  bool empty() const { return next_ == end_; }
  /// What next() would give if blocks waited for each other, unless another worker is faster.
  uint64_t peek() const;
  /// A guess at the time that the blocks not handed out would take one after another.
  uint64_t remainingNanoseconds() const;

  /// How many blocks this worker has got.
  uint64_t taken() const { return taken_ - (end_ - next_) - (kept_end_ - kept_); }

  /// Counts blocks that have ended.
  void ended(uint64_t blocks = 1) { ended_ += blocks; }
  /// Tells the others of the blocks that have ended.
  void publishEnded();

private:
  bool refill();
  bool mustGoBack() const;
  Grid::Part *choosePart();
  uint64_t chunkSize(uint64_t remaining);

  Grid &grid_;
  uint64_t own_; // the part
  uint64_t next_ = 0, end_ = 0;
  uint64_t kept_ = 0, kept_end_ = 0; // a chunk that was begun when blocks began to wait
  uint64_t taken_ = 0;
  uint64_t ended_ = 0; // not yet told to the others
  uint64_t block_nanoseconds_;
  uint64_t chunk_blocks_ = 0; // in the last chunk
  std::chrono::steady_clock::time_point chunk_start_;
};

} // namespace heddle::engine

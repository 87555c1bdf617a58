// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a worker gets its blocks: several at a time, in ascending order.
//
// All workers of a launch take from one counter. So that they do not queue for it, a chunk is as
// many blocks as take some tens of microseconds, judged by the chunk before; near the end of the
// grid chunks become smaller, so that all workers end together. Blocks that wait for each other are
// handed out one by one.
#pragma once

#include "engine/schedule/grid.h"

#include <chrono>

namespace heddle::engine {

class Chunks {
public:
  explicit Chunks(Grid &grid) : grid_(grid), block_nanoseconds_(grid.expected_block_nanoseconds) {}

  /// The next block's index; false if no block is left.
  bool next(uint64_t &index) {
    if (next_ == end_ && !refill())
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
  /// What next() would give, unless another worker is faster.
  uint64_t peek() const {
    return next_ != end_ ? next_ : grid_.next_block.load(std::memory_order_relaxed);
  }
  /// A guess at the time that the blocks not handed out would take one after another.
  uint64_t remainingNanoseconds() const;

  /// How many blocks this worker has got.
  uint64_t taken() const { return taken_ - (end_ - next_); }

  /// Counts blocks that have ended.
  void ended(uint64_t blocks = 1) { ended_ += blocks; }
  /// Tells the others of the blocks that have ended.
  void publishEnded();

private:
  bool refill();
  uint64_t chunkSize(uint64_t remaining);

  Grid &grid_;
  uint64_t next_ = 0, end_ = 0;
  uint64_t taken_ = 0;
  uint64_t ended_ = 0; // not yet told to the others
  uint64_t block_nanoseconds_;
  uint64_t chunk_blocks_ = 0; // in the last chunk
  std::chrono::steady_clock::time_point chunk_start_;
};

} // namespace heddle::engine

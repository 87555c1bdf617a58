// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Distributes blocks to workers: chunks of several blocks, in ascending order.
//
// A grid is divided into as many parts as there may be workers. Each worker begins with its own
// part, the same in each launch of a grid of that size: the data is still in the caches of the core
// that worked on it before, and on large processors a transfer from another core takes half a
// microsecond. A worker that has finished its part takes chunks where most is left.
//
// A chunk takes some tens of microseconds, estimated from the chunk before, so that workers do not
// contend; near the end of a part chunks become smaller, so that all workers end together.
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
  /// `worker`: the part to begin with, modulo the number of parts.
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
  /// How many blocks directly after the current one this worker already has.
  uint64_t more() const { return end_ - next_; }
  /// Takes that many of these blocks.
  void skip(uint64_t blocks) { next_ += blocks; }
  /// Whether the next block must be taken from a part first.
  bool empty() const { return next_ == end_; }
  /// The next block in ascending order of the whole grid, unless another worker is faster.
  uint64_t peek() const;
  /// Estimated time of the blocks not handed out, run sequentially, in nanoseconds.
  uint64_t remainingNanoseconds() const;

  /// The number of blocks that this worker has run or started.
  uint64_t taken() const { return taken_ - (end_ - next_) - (kept_end_ - kept_); }

  /// Counts blocks that have ended.
  void ended(uint64_t blocks = 1) { ended_ += blocks; }
  /// Adds the ended blocks to the grid's count.
  void publishEnded();

private:
  bool refill();
  bool mustGoBack() const;
  Grid::Part *choosePart();
  uint64_t chunkSize(uint64_t remaining);

  Grid &grid_;
  uint64_t own_; // part
  uint64_t next_ = 0, end_ = 0;
  uint64_t kept_ = 0, kept_end_ = 0; // a chunk interrupted when blocks began to wait
  uint64_t taken_ = 0;
  uint64_t ended_ = 0; // not yet published
  uint64_t block_nanoseconds_;
  uint64_t chunk_blocks_ = 0; // in the last chunk
  std::chrono::steady_clock::time_point chunk_start_;
};

} // namespace heddle::engine

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/schedule/chunks.h"

#include "engine/schedule/resident_block.h"

#include <algorithm>
#include <utility>
#ifdef __SSE__
#include <xmmintrin.h>
#endif

namespace heddle::engine {
namespace {

// Long compared with a cache line transfer between cores (some 100 ns), short compared with a
// launch.
constexpr uint64_t chunk_nanoseconds = 50000;
// The first blocks of a kernel may be slow (cold caches) or fast (nothing to do at the edge).
constexpr uint64_t fastest_growth = 8;

// Orders a kernel's non-temporal stores with later stores
// (engine/compiler/simd/optimize/nontemporal_stores.h).
void finishStreaming() {
#ifdef __SSE__
  _mm_sfence();
#endif
}

// The first non-empty part; null if there is none.
Grid::Part *firstPart(Grid &grid) {
  for (Grid::Part &part : grid.parts)
    if (part.left())
      return &part;
  return nullptr;
}

} // namespace

uint64_t Chunks::remainingNanoseconds() const {
  const uint64_t remaining = grid_.left();
  if (remaining == 0)
    return 0;
  return block_nanoseconds_ > UINT64_MAX / remaining ? UINT64_MAX : block_nanoseconds_ * remaining;
}

void Chunks::publishEnded() {
  if (grid_.code.streams)
    finishStreaming();
  if (ended_)
    grid_.add(grid_.ended, ended_);
  ended_ = 0;
}

uint64_t Chunks::peek() const {
  uint64_t first = next_ != end_ ? next_ : grid_.block_count;
  if (kept_ != kept_end_)
    first = std::min(first, kept_);
  if (const Grid::Part *part = firstPart(grid_))
    first = std::min(first, part->next.load(std::memory_order_relaxed));
  return first;
}

// Blocks have begun to wait for each other, and earlier blocks than this chunk's are left.
bool Chunks::mustGoBack() const {
  return grid_.parts.size() > 1 && grid_.waits.load(std::memory_order_relaxed) && peek() < next_;
}

uint64_t Chunks::chunkSize(uint64_t remaining) {
  if (grid_.launch.cooperative || grid_.waits.load(std::memory_order_relaxed))
    return 1;
  if (grid_.short_launch && !chunk_blocks_)
    return 1; // measures whether this one is as short
  const auto now = std::chrono::steady_clock::now();
  uint64_t most = UINT64_MAX;
  if (chunk_blocks_) {
    const auto elapsed = std::chrono::duration_cast<std::chrono::nanoseconds>(now - chunk_start_);
    block_nanoseconds_ = std::max<uint64_t>(1, uint64_t(elapsed.count()) / chunk_blocks_);
    most = chunk_blocks_ * fastest_growth;
    if (grid_.short_launch && isShort(block_nanoseconds_, remaining))
      return remaining;
  }
  chunk_start_ = now;
  const uint64_t size = std::min(chunk_nanoseconds / block_nanoseconds_, most);
  const uint64_t sharers = grid_.parts.size() == 1 ? grid_.worker_limit : 1; // of the part
  return std::max<uint64_t>(1, std::min(size, remaining / (2 * sharers)));
}

// Null if no block is left.
Grid::Part *Chunks::choosePart() {
  if (grid_.waits.load(std::memory_order_relaxed))
    return firstPart(grid_);
  if (grid_.parts[own_].left())
    return &grid_.parts[own_];
  const auto fullest = std::max_element(
      grid_.parts.begin(), grid_.parts.end(),
      [](const Grid::Part &a, const Grid::Part &b) { return a.left() < b.left(); });
  own_ = uint64_t(fullest - grid_.parts.begin());
  return fullest->left() ? &*fullest : nullptr;
}

bool Chunks::refill() {
  publishEnded();
  if (next_ != end_) {
    kept_ = std::exchange(next_, 0);
    kept_end_ = std::exchange(end_, 0);
  }
  while (Grid::Part *part = choosePart()) {
    if (kept_ != kept_end_ && kept_ < part->next.load(std::memory_order_relaxed))
      break;
    const uint64_t remaining = part->left();
    const uint64_t size = remaining <= 1 ? 1 : chunkSize(remaining);
    next_ = grid_.add(part->next, size);
    if (next_ < part->end) {
      end_ = std::min(next_ + size, part->end);
      chunk_blocks_ = end_ - next_;
      taken_ += chunk_blocks_;
      return true;
    }
    next_ = end_; // another worker was faster
  }
  next_ = std::exchange(kept_, kept_end_);
  end_ = kept_end_;
  return next_ != end_;
}

} // namespace heddle::engine

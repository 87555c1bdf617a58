// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/schedule/chunks.h"

#include <algorithm>
#ifdef __SSE__
#include <xmmintrin.h>
#endif

namespace heddle::engine {
namespace {

// Long against a cache line's way between cores (some 100 ns), short against a launch.
constexpr uint64_t chunk_nanoseconds = 50000;
// The first blocks of a kernel may be slow (cold caches) or quick (nothing to do at the edge).
constexpr uint64_t fastest_growth = 8;

// What kernels have stored past the caches is not in order with what is stored next
// (engine/compiler/simd/streams.h).
void finishStreaming() {
#ifdef __SSE__
  _mm_sfence();
#endif
}

} // namespace

uint64_t Chunks::remainingNanoseconds() const {
  const uint64_t begun = grid_.next_block.load(std::memory_order_relaxed);
  if (begun >= grid_.block_count)
    return 0;
  const uint64_t remaining = grid_.block_count - begun;
  return block_nanoseconds_ > UINT64_MAX / remaining ? UINT64_MAX : block_nanoseconds_ * remaining;
}

void Chunks::publishEnded() {
  finishStreaming();
  if (ended_)
    grid_.ended.fetch_add(ended_, std::memory_order_relaxed);
  ended_ = 0;
}

uint64_t Chunks::chunkSize(uint64_t remaining) {
  if (grid_.launch.cooperative || grid_.waits.load(std::memory_order_relaxed))
    return 1;
  const auto now = std::chrono::steady_clock::now();
  uint64_t most = UINT64_MAX;
  if (chunk_blocks_) {
    const auto elapsed = std::chrono::duration_cast<std::chrono::nanoseconds>(now - chunk_start_);
    block_nanoseconds_ = std::max<uint64_t>(1, uint64_t(elapsed.count()) / chunk_blocks_);
    most = chunk_blocks_ * fastest_growth;
  }
  chunk_start_ = now;
  const uint64_t size = std::min(chunk_nanoseconds / block_nanoseconds_, most);
  return std::max<uint64_t>(1, std::min(size, remaining / (2 * grid_.worker_limit)));
}

bool Chunks::refill() {
  publishEnded();
  const uint64_t begun = grid_.next_block.load(std::memory_order_relaxed);
  if (begun >= grid_.block_count)
    return false;
  const uint64_t remaining = grid_.block_count - begun;
  const uint64_t size = remaining == 1 ? 1 : chunkSize(remaining);
  next_ = grid_.next_block.fetch_add(size, std::memory_order_relaxed);
  if (next_ >= grid_.block_count) {
    end_ = next_;
    return false;
  }
  end_ = std::min(next_ + size, grid_.block_count);
  chunk_blocks_ = end_ - next_;
  taken_ += chunk_blocks_;
  return true;
}

} // namespace heddle::engine

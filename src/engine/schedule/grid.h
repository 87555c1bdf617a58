// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The state of one launch, shared by the workers that run its blocks.
#pragma once

#include "engine/abi.h"
#include "engine/fault.h"
#include "engine/launch.h"

#include <atomic>
#include <chrono>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

namespace heddle::engine {

class KernelCode;

/// Whether the blocks take so little time that one worker should run them all.
inline bool isShort(uint64_t block_nanoseconds, uint64_t blocks) {
  constexpr uint64_t most_nanoseconds = 5000;
  return blocks <= most_nanoseconds && block_nanoseconds <= most_nanoseconds / blocks;
}

struct Grid {
  /// `in_parts`: one part for each worker; else all blocks are handed out in ascending order.
  Grid(const Launch &launch, const KernelCode &code, bool in_parts = false,
       const Dim3 &cluster = {});

  const uint64_t number;      // in this process, from 1 on
  uint32_t workspace[4] = {}; // the kernel's, for its barrier (ExtendedBlockContext)
  const Launch &launch;
  const KernelInfo &kernel;
  const KernelCode &code;
  uint32_t static_shared_bytes; // extent of the image's __shared__ variables
  uint32_t fused_blocks;        // KernelCode::fused_blocks; counted as one block here
  unsigned lane_axis;           // KernelCode::lane_axis: `launch` is turned
  Dim3 cluster;                 // thread block clusters, which run as one (cluster.h)
  uint32_t cluster_blocks;      // of a cluster
  uint64_t block_count;
  uint64_t resident_limit; // blocks that the GPU would hold at once
  uint64_t worker_limit;   // workers that may take part
  uint64_t expected_block_nanoseconds = 1;
  bool short_launch = false; // according to earlier launches
  std::chrono::steady_clock::time_point start;
  bool shared = false; // other workers take part; until then counts need no locked add
  bool replay = false; // of one block, for diagnosis; it must not wait for others

  // All workers read it all the time, so it is not in a line that is written at each chunk.
  alignas(64) std::atomic<bool> cancelled{false};
  std::atomic<bool> waits{false}; // a block has had to wait for another one

  // Blocks that are handed out in ascending order: all, or a worker's share. `next` may exceed
  // `end`, where no blocks are left.
  struct alignas(64) Part {
    std::atomic<uint64_t> next{0};
    uint64_t end = 0;

    uint64_t left() const {
      const uint64_t begun = next.load(std::memory_order_relaxed);
      return begun < end ? end - begun : 0;
    }
  };
  std::span<Part> parts; // in ascending order
  Part only_part;        // most launches are too short for more
  std::vector<Part> several_parts;
  /// Divides the blocks into that many parts of equal size.
  void divide(uint64_t count);
  /// The number of blocks not handed out.
  uint64_t left() const;

  // Ended blocks; workers count locally first, so it lags behind.
  alignas(64) std::atomic<uint64_t> ended{0};

  // grid.sync(): the last block to arrive opens the barrier by starting a new generation. As on a
  // GPU, a block that has ended never arrives, and the others cannot continue.
  alignas(64) std::mutex barrier_lock;
  uint64_t barrier_blocks; // that must arrive
  uint64_t barrier_arrived = 0, blocks_ended = 0;
  std::atomic<uint64_t> barrier_generation{0};
  std::atomic<bool> barrier_broken{false};

  std::mutex fault_lock;
  std::optional<Fault> fault;

  /// Adds to a count that workers share; returns the old value.
  uint64_t add(std::atomic<uint64_t> &count, uint64_t more) const {
    if (shared)
      return count.fetch_add(more, std::memory_order_relaxed);
    const uint64_t before = count.load(std::memory_order_relaxed);
    count.store(before + more, std::memory_order_relaxed);
    return before;
  }

  /// In the program's launch, without fusion.
  uint64_t linearIndex(const Dim3 &block) const {
    const Dim3 grid = turned(launch.grid, lane_axis), place = turned(block, lane_axis);
    return place.x + uint64_t(grid.x) * (place.y + uint64_t(grid.y) * place.z);
  }
  /// blockIdx of the first of the fused blocks.
  Dim3 blockIndex(uint64_t linear) const {
    if (cluster_blocks > 1)
      return blockInCluster(linear / cluster_blocks, uint32_t(linear % cluster_blocks));
    const uint32_t in_row = launch.grid.x / fused_blocks;
    if (linear < in_row)
      return {uint32_t(linear) * fused_blocks, 0, 0};
    return {uint32_t(linear % in_row) * fused_blocks, uint32_t(linear / in_row % launch.grid.y),
            uint32_t(linear / in_row / launch.grid.y)};
  }
  /// The scheduling number of a block's cluster, or of the block without clusters.
  uint64_t unitOf(const Dim3 &block) const {
    if (cluster_blocks == 1)
      return linearIndex(block);
    const Dim3 &of = cluster, &all = launch.grid;
    return block.x / of.x +
           uint64_t(all.x / of.x) * (block.y / of.y + uint64_t(all.y / of.y) * (block.z / of.z));
  }
  Dim3 blockInCluster(uint64_t number, uint32_t rank) const {
    const Dim3 &of = cluster;
    const uint32_t across = launch.grid.x / of.x, down = launch.grid.y / of.y;
    return {uint32_t(number % across) * of.x + rank % of.x,
            uint32_t(number / across % down) * of.y + rank / of.x % of.y,
            uint32_t(number / across / down) * of.z + rank / of.x / of.y};
  }
  Dim3 wideBlock() const { return engine::wideBlock(launch.block, fused_blocks); }

  /// Counts one block of a cooperative launch as arrived at the grid barrier, or as ended.
  void arrive(bool has_ended) {
    std::lock_guard guard(barrier_lock);
    has_ended ? ++blocks_ended : ++barrier_arrived;
    if (barrier_arrived == barrier_blocks) {
      barrier_arrived = 0;
      barrier_generation.fetch_add(1, std::memory_order_release);
    } else if (barrier_arrived && barrier_arrived + blocks_ended == barrier_blocks) {
      barrier_broken = true;
    }
  }
};

} // namespace heddle::engine

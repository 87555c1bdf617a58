// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The state of one launch, shared by the workers that run its blocks.
#pragma once

#include "engine/abi.h"
#include "engine/fault.h"
#include "engine/launch.h"

#include <atomic>
#include <mutex>
#include <optional>

namespace heddle::engine::reference {

struct Grid {
  explicit Grid(const Launch &launch, const KernelInfo &kernel, const KernelEntryInfo &code)
      : launch(launch), kernel(kernel), code(code), block_count(launch.grid.count()) {}

  const Launch &launch;
  const KernelInfo &kernel;
  const KernelEntryInfo &code;
  uint32_t static_shared_bytes = 0; // extent of the image's __shared__ variables
  uint64_t stack_bytes = 0;         // of each thread's fiber
  uint64_t block_count;
  uint64_t resident_limit = 1; // how many blocks the GPU would hold at once

  std::atomic<uint64_t> next_block{0}; // handed out in ascending order
  std::atomic<uint64_t> resident{0};   // started and not finished
  std::atomic<bool> cancelled{false};

  // grid.sync(): the last block to arrive opens the barrier by starting a new generation. As on a
  // GPU, a block that has ended never arrives, and the others wait in vain.
  std::mutex barrier_lock;
  uint64_t barrier_arrived = 0, blocks_ended = 0;
  std::atomic<uint64_t> barrier_generation{0};
  std::atomic<bool> barrier_broken{false};

  std::mutex fault_lock;
  std::optional<Fault> fault;

  Dim3 blockIndex(uint64_t linear) const {
    const Dim3 &grid = launch.grid;
    return {uint32_t(linear % grid.x), uint32_t(linear / grid.x % grid.y),
            uint32_t(linear / grid.x / grid.y)};
  }

  /// Counts one block at the grid barrier, or as ended.
  void arrive(bool ended) {
    std::lock_guard guard(barrier_lock);
    ended ? ++blocks_ended : ++barrier_arrived;
    if (barrier_arrived == block_count) {
      barrier_arrived = 0;
      barrier_generation.fetch_add(1, std::memory_order_release);
    } else if (barrier_arrived && barrier_arrived + blocks_ended == block_count) {
      barrier_broken = true;
    }
  }
};

} // namespace heddle::engine::reference

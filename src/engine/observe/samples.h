// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Of each access to memory, the addresses of one request: the first of those with most units
// (AccessCounter), which is what heddle profile draws.
//
// "First" is the block with the lowest number, and there the request that comes first, so it does
// not depend on which worker has run what.
#pragma once

#include "engine/abi.h"
#include "engine/warp.h"

#include <array>
#include <cstdint>
#include <map>
#include <vector>

namespace heddle::engine::observe {

struct Sample {
  uint64_t rank = 0;  // higher is worse
  uint64_t block = 0; // its number in the grid, x first
  uint32_t warp = 0;  // of the block
  uint32_t lanes = 0; // that take part
  uint32_t units = 0;
  std::array<uint64_t, warp_size> addresses{}; // 0 of lanes that do not
};

/// By the number of the access's first counter.
using SampleMap = std::map<uint32_t, Sample>;

/// Keeps the worse of each.
inline void keepWorse(SampleMap &all, const SampleMap &more) {
  for (const auto &[access, sample] : more)
    if (Sample &kept = all[access]; sample.rank > kept.rank)
      kept = sample;
}

/// Those of one worker in one launch.
class Samples {
public:
  explicit Samples(uint32_t counters) : ranks_(counters) {}

  /// A request of the access, with `address(lane)` of each lane that takes part.
  template <class Addresses>
  void offer(uint32_t access, const ThreadContext &thread, uint32_t lanes, uint32_t units,
             const Addresses &address) {
    const uint64_t known = ranks_[access];
    if (uint64_t(units) + 1 < known >> block_bits)
      return;
    const uint64_t block = blockOf(*thread.block), rank = rankOf(units, block);
    if (rank <= known)
      return;
    ranks_[access] = rank;
    Sample &sample = all_[access];
    sample = {rank, block, thread.linear_index / warp_size, lanes, units, {}};
    forEachLane(lanes, [&](uint32_t lane) { sample.addresses[lane] = address(lane); });
  }

  const SampleMap &all() const { return all_; }

private:
  static constexpr uint32_t block_bits = 56;
  static uint64_t blockOf(const BlockContext &block) {
    return block.block_index[0] +
           block.grid_dim[0] *
               (block.block_index[1] + uint64_t(block.grid_dim[1]) * block.block_index[2]);
  }
  // Units first, then the lower block; never 0.
  static uint64_t rankOf(uint32_t units, uint64_t block) {
    constexpr uint64_t last = (uint64_t(1) << block_bits) - 1;
    return uint64_t(units + 1) << block_bits | (block < last ? last - block : 0);
  }

  std::vector<uint64_t> ranks_; // by the number of the access's first counter; 0: none yet
  SampleMap all_;
};

} // namespace heddle::engine::observe

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The caches of a GPU: an L1 cache in each SM, an L2 cache for all, and memory behind it. A model,
// whose rules are those that an H100's counters follow (tests/hardware; docs/metrics.md):
//
// - L1: what is loaded or stored is kept; a store goes on to L2 nevertheless. Atomic and volatile
//   accesses pass it by.
// - L2: what is stored is kept, and only written to memory when its line has to go. What is not
//   there is read from memory in pieces of 64 bytes, or the line of 128 if 64 of it are asked for.
//   Where it has two partitions, each has copies of its own, which the other one's SMs miss; and
//   what four SMs load at the same time is asked for once (Nsight Compute documentation, "L2
//   Request Coalescer").
#pragma once

#include "engine/observe/caches/cache.h"

namespace heddle::engine::observe {

struct CacheSizes {
  uint64_t l1_bytes = 0; // of each SM, without shared memory
  uint64_t l2_bytes = 0; // of one partition
  uint32_t l2_partitions = 1;
};

/// What became of sectors.
struct CacheTraffic {
  uint64_t l1_sectors = 0, l1_hits = 0;
  uint64_t l2_sectors = 0, l2_hits = 0;
  uint64_t dram_sectors = 0; // that were read
};

enum class CacheUse : uint32_t { Load, LoadPastL1, Store, Atomic };

class CacheHierarchy {
public:
  CacheHierarchy(const CacheSizes &sizes, uint32_t multiprocessors)
      : l1_(multiprocessors, Cache(sizes.l1_bytes)), l2_(sizes.l2_bytes),
        partitions_(sizes.l2_partitions) {}

  /// An SM accesses these sectors of a line. Returns those that L2 is to be asked for.
  uint32_t accessL1(uint32_t multiprocessor, CacheUse use, uint64_t line, uint32_t sectors,
                    CacheTraffic &traffic);
  void accessL2(uint32_t multiprocessor, CacheUse use, uint64_t line, uint32_t sectors,
                CacheTraffic &traffic);
  /// So many neighbouring SMs are of one partition, and ask for the same sectors together.
  uint32_t neighbours() const { return partitions_ > 1 ? 4 : 1; }
  /// Sectors that have been written to memory. What L2 still holds has not been.
  uint64_t dramWritten() const { return dram_written_; }

private:
  std::vector<Cache> l1_;
  Cache l2_;
  const uint32_t partitions_; // one or two
  uint64_t dram_written_ = 0;
};

} // namespace heddle::engine::observe

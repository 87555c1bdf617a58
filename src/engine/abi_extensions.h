// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the engine provides behind the structs of abi.h, for kernels that multiply matrices or know
// of clusters. Code that uses neither does not see it.
#pragma once

#include "engine/abi.h"

namespace heddle::engine {

namespace observe {
struct Site;
struct FetchSite;
struct CountedSite;
struct BlockCounts;
struct FetchLanes;
struct AddressPattern;
struct ExtentSlot;
struct AddressRows;
} // namespace observe

/// Every RuntimeTable is one of these.
struct ExtendedRuntimeTable : RuntimeTable {
  /// A product of matrices (module/matrix_operation.h), of the reference engine: `registers` are
  /// the thread's inputs, then room for the result.
  void (*multiply_matrices)(ThreadContext *, uint32_t operation, uint32_t *registers);
  /// Observed code only (observe/observer.h): tells an access and returns whether it may happen.
  uint32_t (*observe)(ThreadContext *, const observe::Site *, uint64_t address, uint64_t bytes,
                      const void *base, uint64_t value);
  /// The same of the lanes of a warp, with an address for each; returns those whose may happen.
  uint32_t (*observe_warp)(GangContext *, const observe::Site *, uint32_t lanes,
                           const uint64_t *addresses, const uint64_t *bytes, const void *base,
                           const uint64_t *values);
  /// Likewise, of addresses that grow evenly within rows of the warp.
  uint32_t (*observe_rows)(GangContext *, const observe::Site *, uint32_t lanes,
                           const observe::AddressRows *rows, const void *base,
                           const uint64_t *values);
  /// Counted code only (observe/counts.h).
  void (*count_access)(GangContext *, const observe::CountedSite *, uint32_t lanes,
                       const uint64_t *addresses);
  void (*count_pattern)(GangContext *, const observe::CountedSite *, observe::AddressPattern *place,
                        uint64_t key, uint64_t stride, uint64_t step);
  void (*count_divergence)(GangContext *, const observe::CountedSite *);
  void (*count_thread)(ThreadContext *, const observe::CountedSite *, uint64_t address);
  void (*count_fetch)(GangContext *, const observe::CountedSite *, uint32_t lanes,
                      const observe::FetchLanes *);
  void (*count_visit)(GangContext *, const observe::CountedSite *, uint32_t lanes, uint32_t taken,
                      uint64_t key);
  void (*count_thread_fetch)(ThreadContext *, const observe::CountedSite *, uint64_t handle,
                             uint32_t x, uint32_t y, uint32_t z, uint32_t layer, float level);
  /// Observed code only (observe/observer.h): these lanes, or the thread, fetch from a texture.
  void (*observe_fetch)(GangContext *, const observe::FetchSite *, uint32_t lanes,
                        const observe::FetchLanes *);
  void (*observe_thread_fetch)(ThreadContext *, const observe::FetchSite *, uint64_t handle,
                               uint32_t x, uint32_t y, uint32_t z, uint32_t layer, float level);
  /// A product of matrices, of the SIMD engine: the registers of a gang that is a warp, as
  /// matrix/multiply.h has them.
  void (*multiply_of_warp)(GangContext *, uint32_t operation, const uint32_t *a, const uint32_t *b,
                           const uint32_t *c, uint32_t *d);
};

/// `value` of the request is the address of the thread's registers, `mode` the operation.
inline constexpr WarpOperation matrix_product{uint32_t(WarpOperation::Reduce) + 1};

/// How a block sees its thread block cluster: blocks that run beside each other and access each
/// other's shared memory. (devicelib/cluster.cu has the same.)
inline constexpr uint32_t most_cluster_blocks = 16;
struct ClusterContext {
  uint32_t dim[3];                   // in blocks
  uint32_t place[3];                 // this block's within it
  uint32_t rank;                     // the same as one number, x first
  uint32_t blocks;                   // of the cluster
  char *shared[most_cluster_blocks]; // where each block's shared memory begins, by rank
  uint32_t *arrived;                 // threads that have come to the cluster's barrier
  uint32_t *generation;              // how often that has opened
  uint32_t *arrival;                 // by threads of this block: the generation they came in
};

/// Every BlockContext is one of these.
struct ExtendedBlockContext : BlockContext {
  const ClusterContext *cluster = nullptr; // null: the block is one by itself
  uint32_t multiprocessors = 1;            // of the GPU
  observe::BlockCounts *counted = nullptr; // counted code only (observe/counted_site.h)
  observe::ExtentSlot *extents = nullptr;  // observed code only (observe/extents.h)
  uint32_t multiprocessor_warps = 64;      // that one of them holds
  uint64_t grid_number = 0;                // of the launch, in this process
  void *grid_workspace = nullptr; // of a cooperative launch: where NVIDIA's code has its barrier
};

} // namespace heddle::engine

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counting while kernels run: what counted code calls, and how counts of a launch come together.
//
// Workers count for themselves (counted_site.h). An observer that asks for count_work calls
// beginCounting and endCounting around each launch; blocks find their counters by themselves.
#pragma once

#include "engine/abi_extensions.h"
#include "engine/launch.h"
#include "engine/observe/caches/hierarchy.h"
#include "engine/observe/counted_site.h"
#include "engine/observe/samples.h"

#include <functional>
#include <optional>
#include <vector>

namespace heddle::engine::observe {

/// What was counted in a launch.
struct LaunchCounts {
  const CountedSites *sites = nullptr; // null: its code counts nothing (the reference engine's)
  std::vector<uint64_t> counters;      // of all sites
  /// [visit slot][k]: warps that diverged there the k-th time they came there.
  std::vector<std::vector<uint64_t>> divergent_visits;
  uint64_t warps_diverged = 0; // at least once, anywhere
  SampleMap samples;           // of accesses
  uint64_t dram_written = 0;   // sectors, if caches are modelled
};

/// Later visits are counted as this one.
inline constexpr uint32_t most_visits = 4096;

/// `caches`: models them, as long as one thread runs all blocks, in order, and the code tells
/// accesses one by one (count_caches).
void beginCounting(const Launch &launch, const std::optional<CacheSizes> &caches = std::nullopt);
LaunchCounts endCounting(const Launch &launch);
/// What launches that have not ended have counted until now, without divergent_visits and samples.
/// Calls `tell` for each; none of them ends meanwhile.
void forEachUnfinished(
    const std::function<void(const Launch &launch, const LaunchCounts &counts)> &tell);

/// The block runs code with these sites from now on, on this thread.
void attachCounts(ExtendedBlockContext &block, const Launch &launch, const CountedSites *sites);
/// It starts anew: its warps have been nowhere yet.
void restartCounts(ExtendedBlockContext &block);

// ---- What counted code calls (ExtendedRuntimeTable) ----

/// An access by these lanes of a warp, with the address of each; of local memory, with the offset
/// in the thread's own memory.
void countAccess(GangContext *gang, const CountedSite *site, uint32_t lanes,
                 const uint64_t *addresses);
/// Counts a request whose pattern is not the one that is kept at this place, and keeps it there.
void countPattern(GangContext *gang, const CountedSite *site, AddressPattern *place, uint64_t key,
                  uint64_t stride, uint64_t step);
/// Lanes have gone both ways at a branch, the `visit`-th time their warp is there.
void countDivergence(GangContext *gang, const CountedSite *site);
/// These lanes fetch from a texture, or access a surface.
void countFetch(GangContext *gang, const CountedSite *site, uint32_t lanes,
                const FetchLanes *fetched);
/// These lanes execute a basic block; or a branch, which those of `taken` take (warp_pairs.h).
void countVisit(GangContext *gang, const CountedSite *site, uint32_t lanes, uint32_t taken,
                uint64_t key);
/// Of code that runs thread by thread.
void countThread(ThreadContext *thread, const CountedSite *site, uint64_t address);
void countThreadFetch(ThreadContext *thread, const CountedSite *site, uint64_t handle, uint32_t x,
                      uint32_t y, uint32_t z, uint32_t layer, float level);

} // namespace heddle::engine::observe

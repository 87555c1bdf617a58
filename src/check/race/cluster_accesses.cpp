// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/race/cluster_accesses.h"

#include "check/classify.h"
#include "engine/abi_extensions.h"
#include "engine/warp.h"

#include <algorithm>
#include <array>

namespace heddle::check {

using engine::ClusterContext;
using engine::forEachLane;
using engine::observe::Access;

const ClusterContext *clusterOf(const engine::BlockContext &block) {
  const auto *cluster = static_cast<const engine::ExtendedBlockContext &>(block).cluster;
  return cluster && cluster->blocks > 1 ? cluster : nullptr;
}

void ClusterAccesses::blockBegin(const engine::BlockContext &block) {
  if (clusterOf(block))
    targets_[block.shared] = {};
}

void ClusterAccesses::access(const Access &access, uint32_t lanes, const uint64_t *addresses) {
  const ClusterContext *cluster = clusterOf(access.block);
  if (!cluster || access.hasOffsets())
    return;
  const uint64_t bytes = sharedBytes(access);
  std::array<uint32_t, engine::most_cluster_blocks> by_rank{};
  forEachLane(lanes, [&](uint32_t lane) {
    for (uint32_t rank = 0; rank < cluster->blocks; ++rank)
      if (addresses[lane] - reinterpret_cast<uintptr_t>(cluster->shared[rank]) < bytes)
        by_rank[rank] |= 1u << lane;
  });
  by_rank[cluster->rank] = 0;
  const BlockRun &block = runs_.runOf(access.block);
  const Warp warp{block.number, access.first_thread / 32};
  for (uint32_t rank = 0; rank < cluster->blocks; ++rank) {
    if (!by_rank[rank])
      continue;
    Target &target = targets_[cluster->shared[rank]];
    for (uint32_t rest = by_rank[rank]; rest;) { // the lanes of one segment at a time
      LastAccess last{block.warps[warp.warp].segments[uint32_t(std::countr_zero(rest))], 0,
                      &access.site};
      forEachLane(rest, [&](uint32_t lane) {
        last.lanes |= uint32_t(block.warps[warp.warp].segments[lane] == last.segment) << lane;
      });
      rest &= ~last.lanes;
      if (target.ended)
        add(target, warp, last, last.lanes);
      else
        note(target.accesses[warp], last);
    }
  }
}

void ClusterAccesses::note(std::vector<LastAccess> &of_warp, const LastAccess &more) {
  for (LastAccess &old : of_warp)
    old.lanes &= ~more.lanes;
  std::erase_if(of_warp, [](const LastAccess &old) { return old.lanes == 0; });
  of_warp.push_back(more);
}

void ClusterAccesses::end(const Access &at) {
  const ClusterContext *cluster = clusterOf(at.block);
  if (!cluster)
    return;
  const BlockRun &block = runs_.runOf(at.block);
  endLanes(at, block);
  Target &target = targets_[at.block.shared];
  const uint32_t warp = at.first_thread / 32;
  Clocks::addKnown(block, warp, at.lanes, target.known);
  const bool live = std::any_of(block.warps.begin(), block.warps.end(),
                                [](const check::Warp &each) { return each.live() != 0; });
  if (live)
    return;
  target.ended = true;
  target.exit = &at.site;
  target.last = runs_.place(block.number, 32 * warp + uint32_t(31 - std::countl_zero(at.lanes)));
  endBlock(target, block, *cluster->generation);
}

// A barrier of the cluster that opens from now on has waited for the end of these lanes.
void ClusterAccesses::endLanes(const Access &at, const BlockRun &block) {
  const ClusterContext &cluster = *clusterOf(at.block);
  const Warp warp{block.number, at.first_thread / 32};
  for (uint32_t rank = 0; rank < cluster.blocks; ++rank) {
    Target &target = targets_[cluster.shared[rank]];
    const auto found = target.accesses.find(warp);
    if (found == target.accesses.end())
      continue;
    std::vector<LastAccess> ended;
    for (LastAccess &access : found->second) {
      LastAccess part = access;
      part.lanes &= at.lanes;
      part.ended = *cluster.generation;
      access.lanes &= ~at.lanes;
      if (part.lanes)
        ended.push_back(part);
    }
    std::erase_if(found->second, [](const LastAccess &old) { return old.lanes == 0; });
    found->second.insert(found->second.end(), ended.begin(), ended.end());
  }
}

void ClusterAccesses::endBlock(Target &target, const BlockRun &block, uint32_t barriers) {
  for (const auto &[warp, accesses] : target.accesses)
    for (const LastAccess &access : accesses) {
      const Segment &segment = runs_.clocks.segment(access.segment);
      if (segment.grid_generation < block.grid_generation ||
          (access.ended != LastAccess::still_running && access.ended < barriers))
        continue;
      uint32_t unknown = 0;
      forEachLane(access.lanes, [&](uint32_t lane) {
        const bool known =
            target.known && Clocks::isAmong(*target.known, block.number, segment, lane);
        unknown |= uint32_t(!known) << lane;
      });
      if (unknown)
        add(target, warp, access, unknown);
    }
  target.accesses.clear();
  target.known = nullptr;
}

void ClusterAccesses::add(const Target &target, const Warp &warp, const LastAccess &access,
                          uint32_t lanes) {
  meetings_.add(
      {.kind = Kind::Race,
       .site = access.site,
       .other = target.exit,
       .thread = runs_.place(warp.block, 32 * warp.warp + uint32_t(std::countr_zero(lanes))),
       .other_thread = target.last,
       .count = uint64_t(std::popcount(lanes))});
}

} // namespace heddle::check

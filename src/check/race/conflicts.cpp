// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is kept of races that have been found.
#include "check/classify.h"
#include "check/race/races.h"
#include "engine/warp.h"

#include <algorithm>
#include <cstring>

namespace heddle::check {

using engine::forEachLane;
using engine::observe::Access;
using engine::observe::AccessKind;
using engine::observe::Site;

namespace {

// Triton 3.9 lets all threads of a block store the values that some of them have to the shared
// memory that it exchanges values in. Its programs cannot name this memory, and it has one name.
bool isScratchOfTriton(const Site &site) {
  return site.variable && std::strcmp(site.variable, "global_smem") == 0;
}

} // namespace

// A thread that the mark stands for, other than this one.
uint32_t Races::otherThread(const Mark &mark, const Current &current, Segment &segment) const {
  segment = runs_.clocks.segment(mark.segment);
  const Who &who = current.who;
  if (mark.level == Level::Lanes) {
    uint32_t lanes = mark.who, unknown = 0;
    if (who.sharesWarp(segment))
      lanes &= ~(1u << who.lane);
    if (!lanes) // the thread itself (isIncoherent)
      return 32u * who.warp + who.lane;
    forEachLane(lanes,
                [&](uint32_t lane) { unknown |= uint32_t(!knows(who, segment, lane)) << lane; });
    return 32u * segment.warp + uint32_t(std::countr_zero(unknown ? unknown : lanes));
  }
  if (mark.level == Level::Blocks) {
    if (who.sharesBlock(segment) || knowsWarp(who, segment, segment.warp))
      segment = runs_.clocks.segment(mark.who);
    return 32u * segment.warp;
  }
  uint32_t found = segment.warp;
  bool any = false;
  forEachLane(mark.who, [&](uint32_t warp) {
    if (!any && warp != who.warp && !knowsWarp(who, segment, warp)) {
      found = warp;
      any = true;
    }
  });
  return 32 * found;
}

bool Races::storesSame(const Mark &mark, const Current &current) const {
  const uint32_t lane = current.who.lane;
  const uint64_t *values = current.access->values;
  if (current.access->site.kind != AccessKind::Store || !values || current.bytes > 8 ||
      runs_.site(mark.site).kind != AccessKind::Store)
    return false;
  const uint64_t value = values[lane];
  // A store of the same instruction has not happened yet. Its lanes may be in different segments,
  // as those are that have waited for a barrier in shared memory one by one, and not in order, as
  // some are looked at together (Races::together).
  const Segment segment = runs_.clocks.segment(mark.segment);
  if (current.who.sharesWarp(segment) && mark.site == current.mark.site &&
      mark.level == Level::Lanes) {
    bool same = true, any = false;
    forEachLane(mark.who & current.access->lanes & ~(1u << lane), [&](uint32_t other) {
      if (current.access->addresses[other] != current.address)
        return;
      any = true;
      same &= values[other] == value;
    });
    if (any)
      return same;
  }
  return std::memcmp(reinterpret_cast<const void *>(current.address), &value, current.bytes) == 0;
}

size_t Races::HashKey::operator()(const Key &key) const {
  size_t hash = key.same_value;
  for (const Side &side : {key.smaller, key.larger})
    for (const uint64_t part : {uint64_t(reinterpret_cast<uintptr_t>(side.kernel)),
                                uint64_t(side.caller), uint64_t(side.python), uint64_t(side.site)})
      hash = (hash ^ part) * 0x9e3779b97f4a7c15u;
  return hash ^ hash >> 32;
}

Races::Side Races::sideOf(uint16_t site, uint32_t launch) const {
  const LaunchRun &run = runs_.launch(launch);
  Side side;
  side.site = site;
  side.kernel = run.kernel;
  if (run.transfer) {
    side.caller = run.place.place.callers[0];
    side.python = run.place.place.python;
  }
  return side;
}

void Races::keep(const Mark &mark, const Current &current) {
  const Site &first = runs_.site(mark.site), &second = current.access->site;
  const bool both_write = first.kind != AccessKind::Load && second.kind != AccessKind::Load;
  const bool same = both_write && storesSame(mark, current);
  if (same && isScratchOfTriton(second))
    return;
  const auto [smaller, larger] =
      std::minmax({sideOf(mark.site, runs_.launchOf(runs_.clocks.segment(mark.segment))),
                   sideOf(current.mark.site, current.who.block.launch)});
  Conflict &conflict = conflicts_[{smaller, larger, same}];
  if (conflict.count++)
    return;
  Segment segment;
  const uint32_t other = otherThread(mark, current, segment);
  conflict.sites[0] = &first;
  conflict.sites[1] = &second;
  conflict.threads[0] = runs_.place(segment.block, other);
  conflict.threads[0].any_of_warp = mark.level != Level::Lanes;
  conflict.threads[0].any_site = mark.several_sites;
  conflict.threads[1] = runs_.place(current.who);
  conflict.relation = relationOf(mark, current.who);
  if (current.who.sharesBlock(segment) && conflict.relation == Relation::Launch)
    conflict.relation = Relation::Block;
  conflict.incoherent = first.kind != AccessKind::Load &&
                        isIncoherent(mark, *current.access, current.who.block.launch);
  if (conflict.incoherent && current.who.sharesBlock(segment) &&
      other == 32 * current.who.warp + current.who.lane)
    conflict.relation = Relation::Itself;
  conflict.same_value = same;
  conflict.background = stores_of_copies_.contains(&first) || stores_of_copies_.contains(&second);
  conflict.narrow = mark.strong == Atomic && current.mark.strong == Atomic;
  conflict.address = current.address;
  conflict.bytes = current.bytes;
  if (second.variable_bytes != engine::observe::unknown_bytes)
    conflict.base = reinterpret_cast<uintptr_t>(current.access->base);
  conflict.variable_bytes = variableBytes(*current.access);
}

const Site &Races::storeOfCopy(const Site &start) {
  const auto [found, is_new] = copies_.try_emplace(&start, start);
  if (is_new) {
    found->second.kind = AccessKind::Store;
    stores_of_copies_.insert(&found->second);
  }
  return found->second;
}

void Races::meetsCopy(const Access &access, uint32_t lane, uint64_t address, uint64_t bytes,
                      const Site &copy, SegmentId segment, uint32_t copying_lane) {
  BlockRun &block = runs_.runOf(access.block);
  Mark theirs = markOf(copy, segment), mine = markOf(access.site, 0);
  theirs.site = runs_.number(copy);
  theirs.who = 1u << copying_lane;
  mine.site = runs_.number(access.site);
  keep(theirs, {&access,
                {block, access.first_thread / 32, lane},
                mine,
                access.site.kind != AccessKind::Load,
                address,
                bytes});
}

std::vector<const Conflict *> Races::conflicts() const {
  std::vector<const Conflict *> all;
  for (const auto &[key, conflict] : conflicts_)
    all.push_back(&conflict);
  return all;
}

} // namespace heddle::check

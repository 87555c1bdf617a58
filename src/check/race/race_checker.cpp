// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/race/race_checker.h"

#include "check/race/words.h"
#include "engine/abi_extensions.h"

#include <bit>
#include <set>

namespace heddle::check {

using engine::observe::Access;
using engine::observe::AccessKind;

static thread_local RunPlace current; // of what this thread runs

void RaceChecker::issued(const engine::observe::StreamPoint &work,
                         const std::vector<engine::observe::StreamPoint> &after) {
  std::lock_guard lock(mutex_);
  const bool before = runs_.mayOverlap();
  runs_.streams.issued(work, after);
  if (!before && runs_.mayOverlap())
    transfers_.lookAtNoted();
}

void RaceChecker::hostWaited(const engine::observe::StreamPoint &point) {
  std::lock_guard lock(mutex_);
  runs_.streams.hostWaited(point);
  transfers_.forgetKnown();
  if (!runs_.anyRuns() && runs_.streams.hostKnowsAll())
    races_.forgetReleases();
}

void RaceChecker::workBegin(const engine::observe::StreamPoint &work) { current = {work}; }

void RaceChecker::partBegin(const void *part, const std::vector<const void *> &after) {
  if (!current.work.stream)
    return;
  current.part = part;
  current.parts_before = std::make_shared<const std::set<const void *>>(after.begin(), after.end());
  std::lock_guard lock(mutex_);
  const bool before = runs_.mayOverlap();
  runs_.hasParts();
  if (!before)
    transfers_.lookAtNoted();
}

void RaceChecker::partsJoin() {
  ++current.joins;
  current.part = nullptr;
}

void RaceChecker::transfer(uint64_t begin, uint64_t bytes, bool writes, const LaunchPlace &place) {
  std::lock_guard lock(mutex_);
  current.place = place;
  transfers_.add(current, begin, bytes, writes);
  forgetOld();
}

void RaceChecker::kernelBegin(const engine::Launch &launch, const LaunchPlace &place) {
  std::lock_guard lock(mutex_);
  if (launch.globals)
    races_.shadow.watchOnce(reinterpret_cast<uintptr_t>(launch.globals),
                            launch.program->info().globals_bytes);
  if (!runs_.anyRuns() && !runs_.mayOverlap())
    races_.forgetReleases();
  RunPlace run = current;
  run.place = place;
  runs_.launchBegin(launch, run);
}

void RaceChecker::kernelEnd(const engine::Launch &launch) {
  std::lock_guard lock(mutex_);
  runs_.launchEnd(launch);
  if (!runs_.anyRuns())
    cluster_accesses_.forget();
  forgetOld();
}

void RaceChecker::forgetOld() {
  // Segments have 16 bytes, launches some 250. Once there are so many, what earlier launches did is
  // forgotten.
  constexpr SegmentId most_segments = 1 << 25;
  if (runs_.anyRuns() ||
      (runs_.clocks.count() <= most_segments && runs_.launches() <= most_launches))
    return;
  races_.shadow.forget();
  races_.forgetReleases();
  transfers_.forget(0, ~uint64_t(0));
  runs_.forget();
}

void RaceChecker::blockBegin(const engine::Launch &launch, const engine::BlockContext &block) {
  std::lock_guard lock(mutex_);
  runs_.blockBegin(launch, block);
  cluster_accesses_.blockBegin(block);
  copies_.blockBegin(block);
}

void RaceChecker::stuck(const engine::Launch &launch) {
  std::lock_guard lock(mutex_);
  meetings_.stuck(launch);
}

void RaceChecker::access(const Access &access, uint32_t lanes, bool right) {
  std::lock_guard lock(mutex_);
  cluster_accesses_.access(access, lanes, access.addresses);
  if (lanes && !access.hasOffsets() && copies_.any(access.block))
    copies_.access(access, lanes, access.addresses, access.bytes[std::countr_zero(lanes)]);
  races_.access(access, lanes, right);
}

void RaceChecker::accessRows(const Access &access, const engine::observe::AddressRows &rows) {
  std::lock_guard lock(mutex_);
  if (static_cast<const engine::ExtendedBlockContext &>(access.block).cluster)
    cluster_accesses_.access(access, access.lanes,
                             engine::observe::AddressesOfLanes(rows).addresses);
  if (!access.hasOffsets() && copies_.any(access.block))
    copies_.access(access, access.lanes, engine::observe::AddressesOfLanes(rows).addresses,
                   rows.bytes);
  races_.accessRows(access, rows);
}

uint32_t RaceChecker::seen(const Access &access, const engine::observe::AddressRows *rows) {
  std::lock_guard lock(mutex_);
  return copies_.any(access.block) ? 0 : races_.seen(access, rows);
}

void RaceChecker::synchronise(const Access &at) {
  std::lock_guard lock(mutex_);
  switch (at.site.kind) {
  case AccessKind::BlockArrive:
  case AccessKind::WarpArrive:
  case AccessKind::GridArrive:
    return meetings_.come(at);
  case AccessKind::BlockDepart:
  case AccessKind::WarpDepart:
  case AccessKind::GridDepart:
    return meetings_.goOn(at);
  case AccessKind::BlockSignal:
    return meetings_.signal(at);
  case AccessKind::Fence:
    return races_.fence(at);
  case AccessKind::Exit:
    meetings_.end(at);
    return cluster_accesses_.end(at);
  case AccessKind::CopyStart:
    return copies_.start(at);
  case AccessKind::CopyCommit:
    return copies_.commit(at);
  case AccessKind::CopyWait:
  case AccessKind::CopyWaitAll:
    return copies_.wait(at, at.site.kind == AccessKind::CopyWaitAll);
  default:
    return;
  }
}

void RaceChecker::allocated(uint64_t base, uint64_t bytes) {
  std::lock_guard lock(mutex_);
  races_.shadow.watch(base, bytes);
}

void RaceChecker::sharedWithHost(uint64_t base, uint64_t bytes, bool own_pages, const char *name) {
  std::lock_guard lock(mutex_);
  const bool before = runs_.mayOverlap();
  runs_.sharesMemoryWithHost();
  if (!before)
    transfers_.lookAtNoted();
  races_.shadow.watch(base, bytes);
  races_.host.add(base, bytes, own_pages, name ? name : "");
}

engine::observe::StreamPoint RaceChecker::currentWork() { return current.work; }

void RaceChecker::tellHost(const engine::observe::StreamPoint &work) {
  std::lock_guard lock(mutex_);
  runs_.streams.tellHost(work);
}

std::vector<engine::observe::ClosedPages> RaceChecker::closedToHost(size_t most) {
  std::lock_guard lock(mutex_);
  return races_.host.closed(races_.shadow, runs_, most);
}

void RaceChecker::hostTouches(const engine::observe::HostAccess &access) {
  HostRace race;
  {
    std::lock_guard lock(mutex_);
    if (!findHostRace(access, races_.shadow, runs_, race))
      return;
  }
  race.host = placeOfInstruction(access.code);
  if (race.host.by_library || !race.host.callers[0]) // the library's own accesses are right
    return;
  std::lock_guard lock(mutex_);
  host_races_.add(race);
}

void RaceChecker::freed(uint64_t base) {
  std::lock_guard lock(mutex_);
  races_.host.remove(base);
  transfers_.forget(base, races_.shadow.endOf(base));
  races_.shadow.unwatch(base);
}

size_t RaceChecker::launches() {
  std::lock_guard lock(mutex_);
  return runs_.launches();
}

bool RaceChecker::isFresh() {
  std::lock_guard lock(mutex_);
  const size_t found =
      races_.conflicts().size() + meetings_.misuses().size() + host_races_.all().size();
  return std::exchange(told_, found) != found;
}

std::vector<Finding> RaceChecker::findings(const ToldMemory &memory) {
  std::lock_guard lock(mutex_);
  std::vector<Finding> all;
  std::set<std::pair<std::vector<Place>, std::vector<Place>>> unequal;
  for (const Conflict *conflict : races_.conflicts()) {
    all.push_back(describe(*conflict, memory));
    if (all.back().kind == Kind::Race) {
      unequal.emplace(all.back().places, all.back().other.places);
      unequal.emplace(all.back().other.places, all.back().places);
    }
  }
  // Of lines that also race otherwise, that some write the same is of no interest.
  std::erase_if(all, [&](const Finding &finding) {
    return finding.kind == Kind::SameValueRace &&
           unequal.contains({finding.places, finding.other.places});
  });
  for (const HostRace &race : host_races_.all())
    all.push_back(describe(race, memory, races_.host));
  for (const Misuse *misuse : meetings_.misuses())
    all.push_back(describe(*misuse));
  return all;
}

} // namespace heddle::check

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/race/host/host_races.h"

#include <bit>

namespace heddle::check {
namespace {

// One of the threads that the mark, of a single word, stands for.
ThreadPlace threadOf(const Mark &mark, const Runs &runs) {
  const bool first = mark.level != Level::Blocks || !runs.hostMayKnow(mark.segment);
  const Segment &segment = runs.clocks.segment(first ? mark.segment : mark.who);
  const uint32_t lane = mark.level == Level::Lanes ? uint32_t(std::countr_zero(mark.who)) : 0;
  return runs.place(segment.block, 32u * segment.warp + lane);
}

} // namespace

bool findHostRace(const engine::observe::HostAccess &access, const Shadow &shadow, const Runs &runs,
                  HostRace &race) {
  const auto address = reinterpret_cast<uintptr_t>(access.address);
  const auto word = unsigned(address % line_bytes / 4), byte = unsigned(address % 4);
  bool found = false, found_write = false;
  shadow.forEachMark(address, [&](uint32_t words, const Mark &mark, bool writes) {
    if (!(words >> word & 1) || !(mark.bytes >> byte & 1) || mark.strong || found_write ||
        !(writes || access.writes) || runs.hostMayKnow(mark))
      return;
    found = true;
    found_write = writes;
    race.site = &runs.site(mark.site);
    race.thread = threadOf(mark.at(word), runs);
  });
  race.writes = access.writes;
  race.address = address;
  return found;
}

void HostRaces::add(const HostRace &race) {
  for (const HostRace &known : all())
    if (known.host.callers == race.host.callers && known.site == race.site &&
        known.thread.kernel == race.thread.kernel)
      return;
  if (count_ < most)
    races_[count_++] = race;
}

} // namespace heddle::check

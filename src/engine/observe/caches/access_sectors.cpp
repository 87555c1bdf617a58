// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/observe/caches/access_sectors.h"

#include <algorithm>

namespace heddle::engine::observe {

CacheUse useOf(const CountedSite &site) {
  if (site.access == AccessKind::Atomic)
    return CacheUse::Atomic;
  if (site.access == AccessKind::Store)
    return CacheUse::Store;
  return !isFetch(site) && site.what ? CacheUse::LoadPastL1 : CacheUse::Load;
}

AccessSectors sectorsOf(const CountedSite &site, uint32_t lanes, const uint64_t *addresses) {
  constexpr uint32_t sector_bytes = 32, word_bytes = 4, sectors_of_line = 4, words_of_sector = 8;
  AccessSectors touched;
  auto &[sectors, count] = touched;
  bool ascending = true;
  const auto push = [&](uint64_t sector) {
    if (count && sectors[count - 1] == sector)
      return;
    ascending &= !count || sectors[count - 1] < sector;
    sectors[count++] = sector;
  };
  forEachLane(lanes, [&](uint32_t lane) {
    const uint64_t first = addresses[lane], last = first + site.bytes - 1;
    if (site.space == AccessSpace::Local)
      for (uint64_t word = first / word_bytes; word <= last / word_bytes; ++word)
        push(word * sectors_of_line + lane / words_of_sector);
    else
      for (uint64_t sector = first / sector_bytes; sector <= last / sector_bytes; ++sector)
        push(sector);
  });
  if (!ascending) {
    std::sort(sectors.begin(), sectors.begin() + long(count));
    count = uint32_t(std::unique(sectors.begin(), sectors.begin() + long(count)) - sectors.begin());
  }
  return touched;
}

} // namespace heddle::engine::observe

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/observe/caches/hierarchy.h"

#include <bit>

namespace heddle::engine::observe {
namespace {

uint64_t count(uint32_t sectors) { return uint64_t(std::popcount(sectors)); }

// What is read from memory for these sectors: whole pieces of 64 bytes, and the whole line if such
// a piece is asked for.
uint32_t readFor(uint32_t sectors) {
  constexpr uint32_t first = 0b0101, all = 0b1111;
  if (sectors & sectors >> 1 & first)
    return all;
  const uint32_t any = (sectors | sectors >> 1) & first;
  return any | any << 1;
}

} // namespace

uint32_t CacheHierarchy::accessL1(uint32_t multiprocessor, CacheUse use, uint64_t line,
                                  uint32_t sectors, CacheTraffic &traffic) {
  traffic.l1_sectors += count(sectors);
  if (use != CacheUse::Load && use != CacheUse::Store)
    return sectors;
  uint64_t nothing_is_dirty = 0;
  Cache::Line &here = l1_[multiprocessor].use(line, nothing_is_dirty);
  const uint32_t hits = here.valid & sectors;
  traffic.l1_hits += count(hits);
  here.valid |= uint8_t(sectors);
  return use == CacheUse::Load ? sectors & ~hits : sectors;
}

void CacheHierarchy::accessL2(uint32_t multiprocessor, CacheUse use, uint64_t line,
                              uint32_t sectors, CacheTraffic &traffic) {
  constexpr uint32_t sectors_of_line = 4, all = 0b1111;
  const uint32_t near = multiprocessor / neighbours() % partitions_ * sectors_of_line;
  traffic.l2_sectors += count(sectors);
  Cache::Line &here = l2_.use(line, dram_written_);
  if (use == CacheUse::Store) { // which needs nothing from memory, and counts as a hit
    traffic.l2_hits += count(sectors);
    here.valid &= uint8_t(~(sectors | sectors << sectors_of_line)); // the other copies are old
    here.valid |= uint8_t(sectors << near);
    here.dirty |= uint8_t(sectors);
    return;
  }
  const uint32_t valid_near = here.valid >> near & all;
  const uint32_t valid_anywhere = (here.valid | here.valid >> sectors_of_line) & all;
  const uint32_t missing = sectors & ~valid_near;
  traffic.l2_hits += count(sectors & valid_near);
  const uint32_t fetched = readFor(missing & ~valid_anywhere) & ~valid_anywhere;
  traffic.dram_sectors += count(fetched);
  here.valid |= uint8_t((missing | fetched) << near);
  if (use == CacheUse::Atomic)
    here.dirty |= uint8_t(sectors);
}

} // namespace heddle::engine::observe

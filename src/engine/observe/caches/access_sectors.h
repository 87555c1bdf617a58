// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which sectors an access of a warp touches, and what the caches do with it.
#pragma once

#include "engine/observe/caches/hierarchy.h"
#include "engine/observe/counted_site.h"
#include "engine/warp.h"

#include <array>

namespace heddle::engine::observe {

/// An access's number for CacheReplay.
constexpr uint32_t replayNumber(uint32_t first_counter) { return first_counter / access_counters; }

CacheUse useOf(const CountedSite &site);

struct AccessSectors {
  std::array<uint64_t, 4 * warp_size> sectors; // numbers of sectors of 32 bytes, ascending
  uint32_t count = 0;
};

/// Of global memory, or of the threads' own, where a word of all threads of a warp is a line.
AccessSectors sectorsOf(const CountedSite &site, uint32_t lanes, const uint64_t *addresses);

} // namespace heddle::engine::observe

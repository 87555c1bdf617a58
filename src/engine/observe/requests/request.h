// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a GPU's memory system does for one request: the accesses of a warp's threads by one
// instruction (CUDA C++ Best Practices Guide, "Coalesced Access to Global Memory" and "Shared
// Memory"). docs/metrics.md has the rules.
#pragma once

#include "engine/observe/counted_site.h"

namespace heddle::engine::observe {

struct Request {
  uint32_t units = 0; // as AccessCounter has them
  uint32_t ideal = 0;
  uint32_t same = 1;
  uint32_t lines = 0;
  bool unaligned = false, broadcast = false;
};

/// `lanes`: a bit for each thread that takes part, at least one. `bytes`: of each thread's access,
/// a power of two up to 16, to whose multiple its address is aligned.
Request requestOf(AccessSpace space, uint32_t lanes, const uint64_t *addresses, uint32_t bytes,
                  bool atomic);

/// Sectors that would do for what so many threads ask for.
uint32_t idealSectors(uint32_t threads, uint32_t bytes);

} // namespace heddle::engine::observe

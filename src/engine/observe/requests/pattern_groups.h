// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Requests of a pattern: addresses that are a row of equal steps, or several rows (AddressPattern).
//
// Where a pattern comes with many masks of lanes, PatternGroups keeps which lanes touch which
// sector and which line, so that a request by any of the lanes is soon counted.
#pragma once

#include "engine/observe/requests/request.h"
#include "engine/warp.h"

#include <memory>
#include <vector>

namespace heddle::engine::observe {

struct PatternGroups {
  uint64_t key = 0, stride = 0, step = 0; // without lanes; 0: of no pattern
  bool known = false; // false: lanes may touch two sectors, or addresses may wrap around
  std::vector<uint32_t> sectors, lines; // a mask of lanes for each
  uint64_t addresses[warp_size] = {};
};

/// What a request of the pattern costs, and its addresses (moved by a multiple of pattern_period,
/// which changes no cost). `groups`: of the pattern's place, made where masks change.
Request requestOfPattern(const AddressPattern &pattern, AccessSpace space, bool atomic,
                         uint32_t bytes, uint32_t lanes, std::unique_ptr<PatternGroups> &groups,
                         uint64_t *addresses);

} // namespace heddle::engine::observe

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What warp-wide operations compute, once the lanes that take part have met.
//
// Pure functions over 32 lanes: no scheduling here. `lanes` is the mask of lanes that take part;
// requests of other lanes are not read. PTX ISA, "shfl.sync", "vote.sync", "match.sync",
// "redux.sync" define the results.
#pragma once

#include "engine/abi.h"

#include <bit>

namespace heddle::engine {

inline constexpr uint32_t warp_size = 32;

/// Calls function(lane) for each set bit, lowest first.
template <typename Function> void forEachLane(uint32_t lanes, Function function) {
  for (uint32_t rest = lanes; rest; rest &= rest - 1)
    function(uint32_t(std::countr_zero(rest)));
}

/// Fills in the results of all lanes of `lanes`. `requests` holds one for each lane of the warp.
void evaluate(WarpRequest *requests, uint32_t lanes);

/// Of the lanes that are `waiting`, answers those that have met: a lane's operation takes place
/// when all lanes of its mask that are `live` have come with the same operation and mask. Returns
/// them.
uint32_t evaluateMet(WarpRequest *requests, uint32_t waiting, uint32_t live);

} // namespace heddle::engine

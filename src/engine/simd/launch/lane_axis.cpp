// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/simd/launch/lane_axis.h"

#include "engine/simd/launch/padded_rows.h"

#include <bit>

namespace heddle::engine::simd {
namespace {

// Cycles, as in compiler/simd/plan/cost.h.
constexpr double scalar_access = 0.6, vector_access = 1.5, lane_access = 2.0;
// Estimates are rough, and turned kernels need code of their own.
constexpr double clear_advantage = 1.5;

// The number of lanes that lie side by side in rows of this length.
uint32_t lanesInRow(uint32_t length) {
  const uint32_t lanes = lanesOfPaddedRow(length);
  return std::has_single_bit(length) || lanes >= fewest_padded_lanes ? lanes : 1;
}

// Of a thread's accesses.
double costOf(const AxisAccesses &accesses, uint32_t length) {
  return (accesses.uniform * scalar_access + accesses.contiguous * vector_access) /
             lanesInRow(length) +
         accesses.scattered * lane_access;
}

// Else all threads along the axis do the same.
bool differs(const AxisAccesses &accesses) { return accesses.contiguous + accesses.scattered > 0; }

} // namespace

unsigned laneAxis(const LaunchFacts &facts, const Dim3 &block) {
  if (facts.axes.size() < 3 || (block.y == 1 && block.z == 1))
    return 0;
  const uint32_t lengths[] = {block.x, block.y, block.z};
  unsigned best = 0;
  double least = costOf(facts.axes[0], block.x) / clear_advantage;
  for (unsigned axis = 1; axis < 3; ++axis)
    if (const double cost = costOf(facts.axes[axis], lengths[axis]);
        lengths[axis] > 1 && differs(facts.axes[axis]) && cost < least) {
      best = axis;
      least = cost;
    }
  return best;
}

} // namespace heddle::engine::simd

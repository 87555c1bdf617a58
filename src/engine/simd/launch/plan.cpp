// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/simd/launch/plan.h"

#include "engine/simd/launch/fused_blocks.h"
#include "engine/simd/launch/grid_stride_expansion.h"
#include "engine/simd/launch/lane_axis.h"
#include "engine/simd/launch/padded_rows.h"

namespace heddle::engine::simd {

LaunchPlan planLaunch(const LaunchFacts &facts, const KernelInfo &kernel, const Dim3 &grid,
                      const Dim3 &block, bool alone, Choices allowed) {
  LaunchPlan plan;
  if (alone && allowed.allow(Choice::TurnBlocks))
    plan.lane_axis = laneAxis(facts, block);
  const Dim3 own = turned(block, plan.lane_axis);
  if (alone && allowed.allow(Choice::FuseBlocks))
    plan.fused_blocks = fusedBlocks(facts, kernel.max_threads_per_block,
                                    turned(grid, plan.lane_axis), own, plan.lane_axis);
  const Dim3 shape = wideBlock(own, plan.fused_blocks);
  plan.padded_rows = alone && allowed.allow(Choice::PadRows) && allowed.allow(Choice::WideGangs) &&
                     padsRows(facts, shape);
  plan.variant = variantFor(shape, !allowed.allow(Choice::WideGangs));
  if (plan.padded_rows)
    plan.variant = {.granularity = 32, .full = false};
  plan.variant.lane_axis = plan.lane_axis;
  return plan;
}

uint32_t plannedGrid(const LaunchFacts &facts, const Launch &launch, bool alone, Choices allowed) {
  return alone && allowed.allow(Choice::ExpandGridStride) ? expandedGrid(facts.grid_stride, launch)
                                                          : launch.grid.x;
}

} // namespace heddle::engine::simd

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/launch_analysis/analyze.h"

#include "engine/launch_analysis/fusible_blocks.h"
#include "engine/launch_analysis/grid_stride.h"
#include "engine/launch_analysis/lane_axis.h"

namespace heddle::engine::simd {

std::string analyzeLaunches(llvm::Function &function, const KernelInfo &kernel) {
  return writeFacts({.fusible_block_dim = fusibleBlockDim(function),
                     .fused_row = fusedRow(function),
                     .grid_stride = gridStride(function, kernel),
                     .axes = accessesByAxis(function)});
}

} // namespace heddle::engine::simd

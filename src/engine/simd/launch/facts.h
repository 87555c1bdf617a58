// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The results of engine/launch_analysis about a kernel, found when its program is compiled, for the
// choices at each launch (choices.h). The image stores them as text that only the engine reads
// (KernelInfo::engine_facts).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace heddle::engine::simd {

/// A grid-stride loop over arrays (launch_analysis/grid_stride.h).
struct GridStride {
  struct Array {
    uint32_t parameter = 0; // offset of its pointer in the parameters
    uint32_t element_bytes = 0;
    bool stored = false; // or loaded
  };
  uint32_t bound_offset = 0, bound_bytes = 0; // the parameter that bounds the index
  std::vector<Array> arrays;
};

inline constexpr uint32_t any_block_dim = ~0u;

/// How many loads and stores a thread executes, roughly, by how their addresses differ between
/// neighbouring threads along one axis of the block (launch_analysis/lane_axis.h).
struct AxisAccesses {
  double uniform = 0;             // the same address
  double contiguous = 0;          // neighbouring elements, or nearly so
  double scattered = 0;           // any other
  uint32_t fusible_block_dim = 0; // LaunchFacts::fusible_block_dim for this axis in place of x
};

struct LaunchFacts {
  uint32_t fusible_block_dim = 0; // of blocks that may run as one
                                  // (launch_analysis/fusible_blocks.h), or 0
  uint32_t fused_row = 32;        // threads of a fused row along x
  GridStride grid_stride;         // no arrays: the kernel has no such loop
  std::vector<AxisAccesses> axes; // x, y, z; none: gangs must follow threadIdx.x (lane_axis.h)
};

std::string writeFacts(const LaunchFacts &facts);

/// For an empty text, the facts of a kernel about which nothing is known.
LaunchFacts readFacts(const std::string &text);

} // namespace heddle::engine::simd

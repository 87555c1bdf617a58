// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is found out about a kernel when its program is compiled (engine/launch_analysis), for the
// choices that are made at each launch (choices.h). The image keeps it as text that only the engine
// reads (KernelInfo::engine_facts).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace heddle::engine::simd {

/// A loop over arrays in steps of the grid (launch_analysis/grid_stride.h).
struct GridStride {
  struct Array {
    uint32_t parameter = 0; // offset of the pointer to it
    uint32_t element_bytes = 0;
    bool stored = false; // to; else loaded from
  };
  uint32_t bound_offset = 0, bound_bytes = 0; // of the parameter that the index stays below
  std::vector<Array> arrays;
};

inline constexpr uint32_t any_block_dim = ~0u;

struct LaunchFacts {
  uint32_t fusible_block_dim = 0; // of blocks that may run as one
                                  // (launch_analysis/fusible_blocks.h), or 0
  uint32_t fused_row = 32;        // so many threads along x they should have together
  GridStride grid_stride;         // no arrays: the kernel has no such loop
};

std::string writeFacts(const LaunchFacts &facts);

/// Those of a kernel about which nothing is known, if the text is empty.
LaunchFacts readFacts(const std::string &text);

} // namespace heddle::engine::simd

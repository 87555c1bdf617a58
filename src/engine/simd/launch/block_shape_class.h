// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Classes of block shapes. A kernel's code is compiled in variants for these classes, each of which
// serves some launches only.
//
// The compiler needs to know how the threads of a gang lie in the block: that decides which values
// are contiguous vectors and which branches need masks for lanes without a thread.
#pragma once

#include "engine/abi.h"
#include "engine/launch.h"

#include <string>

namespace heddle::engine::simd {

struct Variant {
  uint32_t granularity = 32; // aligned groups of so many threads differ in threadIdx.x only
  uint32_t tiled = 0;        // if blockDim.x is the granularity: so many threads are whole rows,
                             // wherever in the block they begin; else 0
  bool full = true;          // the block's threads are whole warps
  bool whole = false;        // the block has no other threads than the `tiled` ones; if tiled is 0,
                             // it is one row, as long as the granularity
  bool warps = false;        // gangs are warps, even if others were better (Choice::WideGangs)
  unsigned lane_axis = 0;    // of the program's launch, which is x here and has changed places with
                             // it (lane_axis.h)

  static constexpr uint32_t widest = 128;       // of `granularity` and `tiled`, except for
  static constexpr uint32_t widest_whole = 256; // gangs that are whole blocks, and
  static constexpr uint32_t longest = 1024;     // whole blocks of one row
  static constexpr uint32_t most_rows = 16;     // of a gang, with a scalar base each
  static constexpr uint32_t of_warps = 166;     // first index of the variants with `warps`
  static constexpr uint32_t count = of_warps + 24;
  uint32_t index() const; // less than `count`; the same for all lane axes
  bool operator==(const Variant &) const = default;
  /// The name for the compiler and the cache: "simd:128:full"; "simd:16x64:full" for a granularity
  /// of 16 that is blockDim.x, where 64 threads are four rows; "simd:16x64:whole" if these are the
  /// whole block; "simd:256:whole" for 256 × 1 × 1; "simd:16x32:full:warps" if gangs are warps;
  /// with ":y" or ":z" behind it if that is the lane axis.
  std::string engineName() const;
  /// The size of the block, if it is one row of known length; else 0.
  uint32_t blockSize() const { return whole && !tiled ? granularity : 0; }
};

/// `warps`: gangs are to be warps.
Variant variantFor(const Dim3 &block, bool warps = false);

/// Why this launch cannot use this code, or null if it can.
const char *whyNot(const SimdKernelInfo &info, const Launch &launch);

} // namespace heddle::engine::simd

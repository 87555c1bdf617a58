// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel's code comes in variants for shapes of block, and not every launch can use it.
//
// The compiler is told how threads of one gang lie in the block: that decides which values are
// vectors of neighbours and which branches need masks for lanes that do not exist.
#pragma once

#include "engine/abi.h"
#include "engine/launch.h"

#include <string>

namespace heddle::engine::simd {

struct Variant {
  uint32_t granularity = 32; // as many neighbouring threads, aligned, differ in threadIdx.x only
  bool exact = false;        // blockDim.x is the granularity, and rows tile a warp
  bool full = true;          // the block's threads are whole warps

  static constexpr uint32_t count = 24;
  uint32_t index() const; // below `count`
  /// As the compiler and the cache know it: "simd:16x:full".
  std::string engineName() const;
};

Variant variantFor(const Dim3 &block);

/// Why this launch cannot use this code, or null if it can.
const char *whyNot(const SimdKernelInfo &info, const Launch &launch);

} // namespace heddle::engine::simd

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tables in which each worker counts what a launch adds to small arrays (compiler/simd/counts.h).
#pragma once

#include "engine/abi.h"
#include "engine/launch.h"

#include <array>
#include <vector>

namespace heddle::engine::simd {

/// An array of which workers may keep tables, or none (no bytes).
struct CountedArray {
  char *begin = nullptr; // where the parameter points to
  uint64_t bytes = 0;    // from there to the end of its allocation, a multiple of the elements'
  bool wide = false;     // of 64-bit numbers, not of 32-bit ones
};
using CountedArrays = std::array<CountedArray, most_kept_counts>;

/// Those of the launch: in the order of SimdKernelInfo::counted. An array has no table if the
/// launch accesses its allocation otherwise, or if it is so large that the launch has not many
/// threads for each of its elements.
CountedArrays countedArrays(const SimdKernelInfo &info, const Launch &launch);

/// One worker's tables.
class CountTables {
public:
  /// For another launch. Throws std::bad_alloc.
  void prepare(const CountedArrays &arrays, KeptCounts (&counts)[most_kept_counts]);
  /// Adds what has been counted to the arrays.
  void putBack();

private:
  CountedArrays arrays_;
  std::array<std::vector<char>, most_kept_counts> tables_; // zeros, and as large as was ever needed
};

} // namespace heddle::engine::simd

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Workers' private tables for a launch's additions to small arrays
// (compiler/simd/optimize/histogram_privatization.h).
#pragma once

#include "engine/abi.h"
#include "engine/launch.h"

#include <array>
#include <vector>

namespace heddle::engine::simd {

/// An array for which workers may have private tables; none if it has no bytes.
struct CountedArray {
  char *begin = nullptr; // where the parameter points
  uint64_t bytes = 0;    // to the end of its allocation, a multiple of the element size
  bool wide = false;     // elements of 64 bits; else of 32
};
using CountedArrays = std::array<CountedArray, most_kept_counts>;

/// The launch's arrays, in the order of SimdKernelInfo::counted. An array has no table if the
/// launch accesses its allocation otherwise, or if there are too few threads for each of its
/// elements.
CountedArrays countedArrays(const SimdKernelInfo &info, const Launch &launch);

/// One worker's tables.
class CountTables {
public:
  /// Prepares for another launch. Throws std::bad_alloc.
  void prepare(const CountedArrays &arrays, KeptCounts (&counts)[most_kept_counts]);
  /// Adds the tables to the arrays and clears them.
  void putBack();

private:
  CountedArrays arrays_;
  std::array<std::vector<char>, most_kept_counts> tables_; // zeros; as large as ever needed
};

} // namespace heddle::engine::simd

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/simd/launch/grid_stride_expansion.h"

namespace heddle::engine::simd {
namespace {

// Whether an iteration could observe a store of another one. Only one iteration accesses a given
// element of the same array.
bool mayMeet(const GridStride::Array &one, const GridStride::Array &other, uint64_t elements,
             const Launch &launch) {
  if (!one.stored && !other.stored)
    return false;
  const uint64_t first = parameterAt(launch, one.parameter, sizeof(void *));
  const uint64_t second = parameterAt(launch, other.parameter, sizeof(void *));
  if (first == second && one.element_bytes == other.element_bytes)
    return false;
  return first < second + elements * other.element_bytes &&
         second < first + elements * one.element_bytes;
}

} // namespace

uint32_t expandedGrid(const GridStride &loop, const Launch &launch) {
  const Dim3 &grid = launch.grid, &block = launch.block;
  const uint64_t own_threads = uint64_t(grid.x) * block.x;
  constexpr uint64_t most_elements = uint64_t(1) << 30; // the index must not wrap in the last step
  if (loop.arrays.empty() || launch.cooperative || grid.count() != grid.x ||
      block.count() != block.x)
    return grid.x;
  const uint64_t elements = parameterAt(launch, loop.bound_offset, loop.bound_bytes);
  if (elements <= own_threads || elements > most_elements - block.x)
    return grid.x;
  for (size_t i = 0; i < loop.arrays.size(); ++i)
    for (size_t k = 0; k < i; ++k)
      if (mayMeet(loop.arrays[i], loop.arrays[k], elements, launch))
        return grid.x;
  return uint32_t((elements + block.x - 1) / block.x);
}

} // namespace heddle::engine::simd

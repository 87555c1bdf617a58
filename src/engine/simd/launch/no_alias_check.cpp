// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/simd/launch/no_alias_check.h"

#include <algorithm>
#include <bit>
#include <vector>

namespace heddle::engine::simd {

char *pointerArgument(const Launch &launch, unsigned parameter) {
  return reinterpret_cast<char *>(parameterAt(launch, parameter * sizeof(void *), sizeof(void *)));
}

bool accessedAlone(uint64_t own, uint64_t others, const Launch &launch) {
  if (!launch.device.allocations)
    return false;
  const Allocations &allocations = *launch.device.allocations;
  std::vector<const void *> bases;
  for (uint64_t rest = own; rest; rest &= rest - 1) {
    const void *base =
        allocations.baseOf(pointerArgument(launch, unsigned(std::countr_zero(rest))));
    if (!base)
      return false;
    bases.push_back(base);
  }
  for (uint64_t rest = own | others; rest; rest &= rest - 1) {
    const unsigned parameter = unsigned(std::countr_zero(rest));
    const char *pointer = pointerArgument(launch, parameter);
    if (!pointer)
      continue;
    // A pointer one past the end of an allocation counts as into it.
    const void *here = allocations.baseOf(pointer), *before = allocations.baseOf(pointer - 1);
    if ((!here && !before) || std::ranges::count(bases, here) != int(!(others >> parameter & 1)) ||
        (before != here && std::ranges::count(bases, before)))
      return false;
  }
  return true;
}

} // namespace heddle::engine::simd

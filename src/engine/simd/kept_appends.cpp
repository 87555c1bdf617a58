// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/simd/kept_appends.h"

#include <algorithm>
#include <bit>
#include <vector>

namespace heddle::engine::simd {
namespace {

const char *argument(const Launch &launch, unsigned parameter) {
  const KernelInfo &kernel = launch.program->info().kernels[size_t(launch.kernel)];
  return reinterpret_cast<const char *>(
      parameterAt(launch, kernel.parameters[parameter].offset, sizeof(void *)));
}

} // namespace

uint32_t keptAppends(const SimdKernelInfo &info, const Launch &launch) {
  constexpr uint32_t none = 1;
  if (!info.appended || !launch.device.allocations)
    return none;
  const Allocations &allocations = *launch.device.allocations;
  std::vector<const void *> appended; // allocations
  for (uint64_t rest = info.appended; rest; rest &= rest - 1) {
    const void *base = allocations.baseOf(argument(launch, unsigned(std::countr_zero(rest))));
    if (!base)
      return none;
    appended.push_back(base);
  }
  for (uint64_t rest = info.appended | info.accessed; rest; rest &= rest - 1) {
    const unsigned parameter = unsigned(std::countr_zero(rest));
    const char *pointer = argument(launch, parameter);
    if (!pointer)
      continue;
    // One past the end of an allocation leads to it, too.
    const void *here = allocations.baseOf(pointer), *before = allocations.baseOf(pointer - 1);
    if ((!here && !before) ||
        std::ranges::count(appended, here) != int(!(info.accessed >> parameter & 1)) ||
        (before != here && std::ranges::count(appended, before)))
      return none;
  }
  return most_kept_appends;
}

} // namespace heddle::engine::simd

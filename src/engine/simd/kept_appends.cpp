// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/simd/kept_appends.h"

#include <bit>
#include <cstring>

namespace heddle::engine::simd {
namespace {

const char *argument(const Launch &launch, unsigned parameter) {
  const KernelInfo &kernel = launch.program->info().kernels[size_t(launch.kernel)];
  const char *pointer = nullptr;
  std::memcpy(&pointer,
              static_cast<const char *>(launch.parameters) + kernel.parameters[parameter].offset,
              sizeof pointer);
  return pointer;
}

// Whether the pointer may be used to come to that allocation. One past its end may be, too.
bool mayLeadTo(const void *allocation, const char *pointer, const Allocations &allocations) {
  if (!pointer)
    return false;
  const void *here = allocations.baseOf(pointer), *before = allocations.baseOf(pointer - 1);
  return (!here && !before) || here == allocation || before == allocation;
}

} // namespace

uint32_t keptAppends(const SimdKernelInfo &info, const Launch &launch) {
  constexpr uint32_t none = 1;
  if (!info.appended || !launch.device.allocations)
    return none;
  const Allocations &allocations = *launch.device.allocations;
  for (uint64_t own = info.appended; own; own &= own - 1) {
    const void *queue = allocations.baseOf(argument(launch, unsigned(std::countr_zero(own))));
    if (!queue)
      return none;
    const uint64_t later = own & (own - 1); // those before have been compared with this one
    for (uint64_t rest = info.accessed | later; rest; rest &= rest - 1)
      if (mayLeadTo(queue, argument(launch, unsigned(std::countr_zero(rest))), allocations))
        return none;
  }
  return most_kept_appends;
}

} // namespace heddle::engine::simd

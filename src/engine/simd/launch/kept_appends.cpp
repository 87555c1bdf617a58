// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/simd/launch/kept_appends.h"

#include "engine/simd/launch/no_alias_check.h"

namespace heddle::engine::simd {

uint32_t keptAppends(const SimdKernelInfo &info, const Launch &launch) {
  constexpr uint32_t none = 1;
  return info.appended && accessedAlone(info.appended, info.accessed, launch) ? most_kept_appends
                                                                              : none;
}

} // namespace heddle::engine::simd

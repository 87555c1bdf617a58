// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How many items a sweep may keep before it appends them to a queue: many, if the kernel cannot
// look at what it appends (compiler/simd/appends.h).
#pragma once

#include "engine/abi.h"
#include "engine/launch.h"

namespace heddle::engine::simd {

/// 1 unless the launch's counts and queues lie in allocations that it does not access otherwise.
uint32_t keptAppends(const SimdKernelInfo &info, const Launch &launch);

} // namespace heddle::engine::simd

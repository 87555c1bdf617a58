// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The number of items that a sweep may buffer before it appends them to a queue: many, if the
// kernel cannot observe the queue (compiler/simd/optimize/aggregated_atomics.h).
#pragma once

#include "engine/abi.h"
#include "engine/launch.h"

namespace heddle::engine::simd {

/// 1 unless the allocations of the launch's counts and queues are accessed only by appends.
uint32_t keptAppends(const SimdKernelInfo &info, const Launch &launch);

} // namespace heddle::engine::simd

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Costs of instructions, in cycles, very roughly.
#pragma once

namespace heddle::engine::simd {

// A lane's access within a gather or scatter, including address arithmetic; a scalar access; a
// vector access.
constexpr double lane_access = 2.0, scalar_access = 0.6, vector_access = 1.5;
constexpr double vector_operation = 1.0, scalar_operation = 0.35;

} // namespace heddle::engine::simd

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Costs of instructions, in cycles, very roughly.
#pragma once

#include "engine/compiler/simd/plan/access_plan.h"

namespace heddle::engine::simd {

// A lane's access within a gather or scatter, including address arithmetic; a scalar access; a
// vector access.
constexpr double lane_access = 2.0, scalar_access = 0.6, vector_access = 1.5;
constexpr double vector_operation = 1.0, scalar_operation = 0.35;

struct Cost {
  double vector = 0; // for all lanes of a gang
  double alone = 0;  // as scalar code, for as many threads
};

Cost costOf(const llvm::Instruction &instruction, const PlannedCode &code);

/// Whether the access or call is emitted lane by lane, or nearly so: it gains nothing from vectors
/// and takes much code.
bool isLaneByLane(const llvm::Instruction &instruction, const PlannedCode &code);

} // namespace heddle::engine::simd

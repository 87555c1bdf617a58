// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether a launch looks at memory only by parameters that may keep changes back for a while
// (compiler/simd/parameter_accesses.h).
#pragma once

#include "engine/launch.h"

namespace heddle::engine::simd {

/// The pointer in those eight bytes of the parameters.
char *pointerArgument(const Launch &launch, unsigned parameter);

/// Whether the parameters `own`, a bit for each, point into an allocation each, and the `others` to
/// none of these.
bool accessedAlone(uint64_t own, uint64_t others, const Launch &launch);

} // namespace heddle::engine::simd

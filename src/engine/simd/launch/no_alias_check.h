// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Alias check at the launch: whether an allocation is accessed only through parameters whose
// updates may be delayed (compiler/simd/analysis/access/parameter_accesses.h).
#pragma once

#include "engine/launch.h"

namespace heddle::engine::simd {

/// The pointer in these eight bytes of the parameters.
char *pointerArgument(const Launch &launch, unsigned parameter);

/// Whether each of the `own` parameters, one bit each, points into an allocation of its own, and
/// none of the `others` points into any of these.
bool accessedAlone(uint64_t own, uint64_t others, const Launch &launch);

} // namespace heddle::engine::simd

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Versions code for gangs whose lanes all take the same path.
//
// Most branches that may diverge seldom do: `if (i < n)` fails in the last gang only, and the lanes
// of a loop over elements differ only in the last iteration. So
//
//     if (c) A        becomes     if (all(c)) A' else if (c) A
//     do A while (c)  becomes     do A' while (all(c)); if (c) do A while (c)
//
// where the branches on all(…) are uniform, and A' needs no masks: plain loads and stores, atomics
// without a search for active lanes.
#pragma once

#include "engine/compiler/simd/form/gang_layout.h"

#include "llvm/IR/Function.h"

namespace heddle::engine::simd {

/// Puts the whole function under `if (active)`, for gangs not all of whose lanes take part. Expects
/// and leaves canonical code.
void guardActive(llvm::Function &function);

/// Expects and leaves canonical code. `masks_bytes`: see predication_safety.h, whose blocks are not
/// copied.
void versionCoherentBranches(llvm::Function &function, const LaneLayout &layout,
                             bool masks_bytes = false);

} // namespace heddle::engine::simd

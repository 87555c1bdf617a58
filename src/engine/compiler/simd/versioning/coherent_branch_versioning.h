// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes a second copy of code for gangs whose lanes all go the same way.
//
// Most branches that could part the lanes of a gang seldom do: `if (i < n)` fails in the last gang
// only, and a loop over the elements ends for all lanes at once but in its last round. So
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

/// Puts the whole function behind `if (active)`: not all lanes of the gang take part. Expects and
/// leaves canonical code.
void guardActive(llvm::Function &function);

/// Expects and leaves canonical code. `masks_bytes`: see predication_safety.h; such blocks are not
/// copied.
void versionCoherentBranches(llvm::Function &function, const LaneLayout &layout,
                             bool masks_bytes = false);

} // namespace heddle::engine::simd

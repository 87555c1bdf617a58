// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Guard widening: versions code that checks the bounds of several elements of a thread, for gangs
// in which all checks succeed.
//
// A thread with eight elements has eight checks against one bound:
//
//     for (int k = 0; k < 8; ++k)
//       if (8 * thread + k < n)
//         …p[8 * thread + k]…
//
// coherent_branch_versioning.h would make eight copies in sequence, and contiguous elements would
// be loaded eight times. But if the last element is within bounds, so are the others, which is
// nearly always the case. So
//
//     if (c0) A0; if (c1) A1; …    becomes    if (all(c0) && all(c1) …) A0'; A1'; …
//                                             else { if (c0) A0; if (c1) A1; … }
//
// where A0' A1' … is straight-line code, whose accesses form a group (interleaved_groups.h).
#pragma once

#include "engine/compiler/simd/form/gang_layout.h"

#include "llvm/IR/Function.h"

namespace heddle::engine::simd {

/// Metadata of branches that have such a copy and are therefore seldom executed.
inline constexpr const char *guarded_element = "heddle.guarded.element";

/// Expects and leaves canonical code. `masks_bytes`: see predication_safety.h; regions of such
/// blocks only are not copied.
void widenGuards(llvm::Function &function, const LaneLayout &layout, bool masks_bytes = false);

} // namespace heddle::engine::simd

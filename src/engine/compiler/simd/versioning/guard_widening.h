// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes a second copy of what a thread does to several elements, each of which it asks for whether
// it is within bounds, for gangs for which they all are.
//
// A thread with eight elements of its own has eight such questions, of one bound:
//
//     for (int k = 0; k < 8; ++k)
//       if (8 * thread + k < n)
//         …p[8 * thread + k]…
//
// Copies for gangs that agree (coherent_branch_versioning.h) would be eight, one behind the other,
// and what lies side by side in memory would be loaded eight times. But if the last element is
// within bounds, so are the others, and nearly always it is. So
//
//     if (c0) A0; if (c1) A1; …    becomes    if (all(c0) && all(c1) …) A0'; A1'; …
//                                             else { if (c0) A0; if (c1) A1; … }
//
// where A0' A1' … is one piece of straight code: a group of accesses for interleaved_groups.h.
#pragma once

#include "engine/compiler/simd/form/gang_layout.h"

#include "llvm/IR/Function.h"

namespace heddle::engine::simd {

/// Metadata of branches of which there is such a copy: gangs seldom come to them.
inline constexpr const char *guarded_element = "heddle.guarded.element";

/// Expects and leaves canonical code. `masks_bytes`: see predication_safety.h; such blocks alone
/// are not worth a copy.
void widenGuards(llvm::Function &function, const LaneLayout &layout, bool masks_bytes = false);

} // namespace heddle::engine::simd

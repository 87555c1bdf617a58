// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Legalises integers of unusual width, such as i3, to the next legal width.
//
// LLVM narrows `rounds & 7` to three bits and counts in i3. A vector of 32 such numbers is 12 bytes
// of memory without addressable elements, but passes that keep a gang's values in memory and access
// single lanes need elements of whole bytes, and no CPU computes with other vectors.
//
//     %k = add i3 %j, -1                 becomes    %k = add i8 %j, -1
//     %n = zext i3 %k to i32                        %n = zext i8 (and i8 %k, 7) to i32
//
// The bits above the original width are undefined, and masked off where they matter.
#pragma once

#include "llvm/IR/Function.h"

namespace heddle::engine::simd {

/// i1 and integers of more than 64 bits stay. Expects code without switches.
void legalizeIntegers(llvm::Function &function);

} // namespace heddle::engine::simd

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes integers of 3 bits, which no CPU has, integers of 8.
//
// LLVM's optimizer says of `rounds & 7` that three bits are enough for it, and counts in them. One
// such number is as good as another, but a vector of 32 of them is 12 bytes of memory, in which
// none has an address: passes that keep a gang's values in memory, and take them one by one, need
// elements that are bytes. And CPUs compute with vectors of nothing else.
//
//     %k = add i3 %j, -1                 becomes    %k = add i8 %j, -1
//     %n = zext i3 %k to i32                        %n = zext i8 (and i8 %k, 7) to i32
//
// What is above the three bits is anything, and cut off where it matters.
#pragma once

#include "llvm/IR/Function.h"

namespace heddle::engine::simd {

/// Integers of one bit stay, and those of more than 64. Expects code without switches.
void legalizeIntegers(llvm::Function &function);

} // namespace heddle::engine::simd

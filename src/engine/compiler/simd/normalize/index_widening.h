// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Computes indices in the width of addresses from the start.
//
// CUDA programs compute with 32-bit indices, which are extended to 64 bits only to access memory:
// `a[row * n + i]` is sext(row * n + i). That the sum grows by one from lane to lane is of use only
// if it does not wrap between lanes, which C++ promises for the threads that really compute it, but
// not for the first lane, from which the others' addresses are to follow. So the extension is moved
// to where the index began (threadIdx.x, a loop counter), which is known not to wrap.
#pragma once

#include "engine/compiler/simd/form/gang_layout.h"

#include "llvm/IR/Function.h"

namespace heddle::engine::simd {

/// Whether the program promises that this sum or product does not wrap, as signed or unsigned
/// numbers.
bool cannotWrap(const llvm::Instruction &instruction, bool is_signed);

/// Whether the value, extended as a signed or unsigned number, is the sum of its extended operands.
bool extendsAsSum(const llvm::Value &value, bool is_signed);

void widenIndices(llvm::Function &function, const LaneLayout &layout);

} // namespace heddle::engine::simd

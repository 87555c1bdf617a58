// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Computes indices in the width of addresses.
//
// CUDA programs compute 32-bit indices, which are extended to 64 bits for memory accesses: `a[row *
// n + i]` is sext(row * n + i). That the sum is affine matters only if it does not wrap between
// lanes; C++ guarantees this for the threads that execute it, but not for the first lane, from
// which the other lanes' addresses are derived and which may be inactive. So the extension is moved
// to the operands of the sum (threadIdx.x, a loop counter), which are known not to wrap.
#pragma once

#include "engine/compiler/simd/form/gang_layout.h"

#include "llvm/IR/Function.h"

namespace heddle::engine::simd {

/// Whether the extended value, signed or unsigned, is the sum of its extended operands.
bool extendsAsSum(const llvm::Value &value, bool is_signed);

void widenIndices(llvm::Function &function, const LaneLayout &layout);

} // namespace heddle::engine::simd

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Computes integers in 8 or 16 bits where that does not change results.
//
// C++ adds bytes as 32-bit integers. In vectors this is expensive: 32 lanes of 16 bits are one
// AVX-512 register, 32 lanes of 32 bits are two, and each byte must first be extended. So
//
//     %a = zext i8 %x to i32                 %a = zext i8 %x to i16
//     %b = zext i8 %y to i32                 %b = zext i8 %y to i16
//     %sum = add i32 %a, %b        becomes   %sum = add i16 %a, %b
//     %c = icmp slt i32 %sum, 300            %c = icmp ult i16 %sum, 300
//
// The low bits of a sum, product or select depend only on the operands' low bits and can always be
// computed narrowly. Users of more than the low bits (comparisons, right shifts, divisions) can
// take the narrow value only if its range is known to fit, by LLVM's LazyValueInfo. Other users get
// an extension.
//
// Only vectors profit: uniform and affine values, and address computations, stay as they are.
#pragma once

#include "engine/compiler/simd/form/gang_layout.h"

#include "llvm/IR/Function.h"

namespace heddle::engine::simd {

/// `register_bytes`: size of a vector register. Expects and leaves canonical code.
void narrowIntegers(llvm::Function &function, const LaneLayout &layout, unsigned register_bytes);

} // namespace heddle::engine::simd

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Computes with integers in 8 or 16 bits where those hold all that matters of them.
//
// C++ adds bytes as 32-bit integers. In a vector that costs: 32 lanes of 16 bits are one register
// of a CPU with AVX-512, 32 lanes of 32 bits are two, and each byte must be extended that far
// first. So
//
//     %a = zext i8 %x to i32                 %a = zext i8 %x to i16
//     %b = zext i8 %y to i32                 %b = zext i8 %y to i16
//     %sum = add i32 %a, %b        becomes   %sum = add i16 %a, %b
//     %c = icmp slt i32 %sum, 300            %c = icmp ult i16 %sum, 300
//
// The low bits of a sum, a product or a choice follow from the operands' low bits, so these may
// always be computed narrowly. Whoever looks at more than the low bits (a comparison, a shift to
// the right, a division) may do so only if the values are known to lie in the narrow type's range;
// LLVM's LazyValueInfo knows that. What needs the wide value gets it by an extension.
//
// Only vectors gain from it: what is the same in all lanes, or grows from lane to lane, stays as it
// is, and so does what says where memory is.
#pragma once

#include "engine/compiler/simd/form/gang_layout.h"

#include "llvm/IR/Function.h"

namespace heddle::engine::simd {

/// Expects and leaves canonical code. A vector register has `register_bytes`.
void narrowIntegers(llvm::Function &function, const LaneLayout &layout, unsigned register_bytes);

} // namespace heddle::engine::simd

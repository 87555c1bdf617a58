// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Brings the code of a thread into the canonical form, which later passes expect.
//
//  * Vectors (float4) become scalars: lanes are to be the only vectors.
//  * One return; switches become branches; loops have one entry, one latch and dedicated exits, and
//    their live-outs go through phis (LoopSimplify, LCSSA).
//  * Code after an assertion or trap is treated as reachable, though it never runs; otherwise all
//    other lanes would count as having diverged for good.
//  * Special registers that follow from others are computed from them.
//  * Thread numbers are decomposed (`threadIdx.x / 16`) before other arithmetic on the parts.
//  * Integers have 1, 8, 16, 32 or 64 bits, or more (legalize_integers.h).
//  * blockIdx.x * blockDim.x + threadIdx.x does not overflow: the launch has checked that.
#pragma once

#include "llvm/IR/Function.h"

namespace heddle::engine::simd {

void canonicalize(llvm::Function &function);

} // namespace heddle::engine::simd

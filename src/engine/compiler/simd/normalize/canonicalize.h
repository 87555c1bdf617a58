// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Brings the code of a thread into the form that the passes behind this one expect.
//
//  * Vectors (float4) become scalars: lanes are to be the only vectors.
//  * One return; switches become branches; all loops have one entry, one way back and exits of
//    their own, and what they leave behind goes through phis (LoopSimplify, LCSSA).
//  * A thread that asserts or traps "goes on" behind it. It never does, but if it ended there, all
//    others would have to be treated as if they had parted from it for good.
//  * Special registers that follow from others are computed from them.
//  * A thread's number is taken apart (`threadIdx.x / 16`) before anything is made of the parts.
//  * Integers have 1, 8, 16, 32 or 64 bits, or more (legalize_integers.h).
//  * blockIdx.x * blockDim.x + threadIdx.x does not overflow: the launch was checked for that.
#pragma once

#include "llvm/IR/Function.h"

namespace heddle::engine::simd {

void canonicalize(llvm::Function &function);

} // namespace heddle::engine::simd

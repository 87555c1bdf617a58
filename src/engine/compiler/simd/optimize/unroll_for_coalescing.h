// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops in which each thread goes along a row of its own: `sum += a[row * n + i] * x[i]`.
//
// That is a matrix product whose loads a GPU cannot coalesce. Neighbouring threads
// are a row apart, so each round gathers one element of as many lines of memory as there are lanes,
// and the next round gathers their neighbours. Here, as many rounds as a line has elements become
// one: then each thread's elements lie side by side, and a lane's are one vector
// (interleaved_groups.h).
#pragma once

#include "engine/compiler/simd/form/gang_layout.h"

#include "llvm/IR/Function.h"

namespace heddle::engine::simd {

/// Unrolls such loops, if all lanes leave them together. Expects and leaves canonical loops.
void unrollForCoalescing(llvm::Function &function, const LaneLayout &layout);

} // namespace heddle::engine::simd

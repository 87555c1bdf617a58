// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Unrolls loops in which each thread traverses its own row: `sum += a[row * n + i] * x[i]`.
//
// In such a matrix product a GPU cannot coalesce the loads. Neighbouring threads are a row apart,
// so each iteration gathers one element from as many cache lines as there are lanes, and the next
// iteration gathers their neighbours. After unrolling by the number of elements in a line, each
// thread's elements are contiguous, and each lane loads them as one vector (interleaved_groups.h).
#pragma once

#include "engine/compiler/simd/form/gang_layout.h"

#include "llvm/IR/Function.h"

namespace heddle::engine::simd {

/// Unrolls such loops if their exit condition is uniform. Expects and leaves canonical loops.
void unrollForCoalescing(llvm::Function &function, const LaneLayout &layout);

} // namespace heddle::engine::simd

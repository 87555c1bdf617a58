// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conditions that hold for the first threads of a block and for no others, such as
// `threadIdx.x < stride` in a tree of sums.
//
// The gangs of a block run in ascending order, so once such a condition holds for no lane of a
// gang, it holds for no lane of the gangs after it: where they would do nothing else, a sweep ends
// there.
#pragma once

#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Value.h"

namespace heddle::engine::simd {

/// Whether it is threadIdx.x.
bool isThreadIndex(const llvm::Value &value);

/// Whether the condition compares a number that follows from such ones, and from constants, alone
/// with a constant: `x + 1 < 16`, `x % 4 == 0`; or is made of such comparisons.
bool comparesWhatFollowsFrom(const llvm::Value &condition,
                             llvm::function_ref<bool(const llvm::Value &)> is_source);

/// The same, from threadIdx.x.
bool comparesThreadIndex(const llvm::Value &condition);

/// The numbers of threads, along any axis of a block, that compare so with the bound.
llvm::ConstantRange threadsThatCompare(llvm::CmpInst::Predicate predicate,
                                       const llvm::APInt &bound);

/// Whether the condition, if it is false for a thread of a block with a single row of threads
/// (blockDim.y == blockDim.z == 1), is false for all threads after that one. A condition that the
/// function does not understand is not.
bool holdsForLeadingThreads(const llvm::Value &condition);

/// Whether the condition holds for no thread but those with threadIdx.x < `lanes`.
bool holdsOnlyBelow(const llvm::Value &condition, unsigned lanes);

/// Metadata of branches that are taken if such a condition holds for all, or for any, of the gang:
/// once one is not taken, it is not in the gangs after that.
inline constexpr const char *leading_branch = "heddle.leading";
/// Of those of which no gang after the first takes one.
inline constexpr const char *first_gang_branch = "heddle.first.gang";

} // namespace heddle::engine::simd

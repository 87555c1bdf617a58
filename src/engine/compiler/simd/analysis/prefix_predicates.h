// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conditions that hold for a prefix of a block's threads, such as `threadIdx.x < stride` in a tree
// reduction.
//
// The gangs of a block run in ascending order. So once such a condition holds for no lane of a
// gang, it holds for no lane of later gangs; if they would do nothing else, the sweep ends there.
#pragma once

#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Value.h"

namespace heddle::engine::simd {

/// Whether it is threadIdx.x.
bool isThreadIndex(const llvm::Value &value);

/// Whether the condition compares a value with a constant (`x + 1 < 16`, `x % 4 == 0`), where the
/// value is computed only from constants and from values for which `is_source` holds; or is a
/// combination of such comparisons.
bool comparesWhatFollowsFrom(const llvm::Value &condition,
                             llvm::function_ref<bool(const llvm::Value &)> is_source);

/// The same, computed from threadIdx.x.
bool comparesThreadIndex(const llvm::Value &condition);

/// The thread numbers, along any axis of a block, for which the comparison with the bound holds.
llvm::ConstantRange threadsThatCompare(llvm::CmpInst::Predicate predicate,
                                       const llvm::APInt &bound);

/// In blocks of a single row (blockDim.y == blockDim.z == 1): whether the condition, if false for a
/// thread, is false for all later threads. Conservative: returns false for conditions that it
/// cannot analyse.
bool holdsForLeadingThreads(const llvm::Value &condition);

/// Whether the condition holds only for threads with threadIdx.x < `lanes`.
bool holdsOnlyBelow(const llvm::Value &condition, unsigned lanes);

/// Metadata of branches on any or all of such a condition: if one is not taken in a gang, it is not
/// taken in later gangs.
inline constexpr const char *leading_branch = "heddle.leading";
/// Metadata of such branches that only the first gang may take.
inline constexpr const char *first_gang_branch = "heddle.first.gang";

} // namespace heddle::engine::simd

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pseudo-intrinsics of the SIMD compiler.
//
// All passes before `widen` work on the code of a single thread. Properties of its gang are
// expressed by calls of these functions, which `widen` replaces.
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

namespace heddle::engine::simd {

/// void (i1): from here to the end of the block, only lanes for which the argument is true execute;
/// it is true in at least one. In a block without this call all lanes of the gang execute.
inline constexpr llvm::StringLiteral mask_marker = "heddle.mask";
/// i1 (): whether this lane has a thread, and that thread takes part in this call of the gang.
inline constexpr llvm::StringLiteral active_marker = "heddle.active";
/// i1 (i1): whether the argument is true in any, or in all, active lanes.
inline constexpr llvm::StringLiteral any_marker = "heddle.any";
inline constexpr llvm::StringLiteral all_marker = "heddle.all";
/// i32 (): the lane number in the gang.
inline constexpr llvm::StringLiteral lane_marker = "heddle.lane";
/// i32 (): the state at which the gang continues; 0 at the kernel's start.
inline constexpr llvm::StringLiteral state_marker = "heddle.state";
/// ptr (i32 state, i32 kind, i32, i32, i32): starts a GroupRecord of the active lanes and returns
/// the memory after it, for the values that they share (engine/abi.h).
inline constexpr llvm::StringLiteral suspend_marker = "heddle.suspend";
/// ptr (): the memory after the record of the group that continues.
inline constexpr llvm::StringLiteral resumed_marker = "heddle.resumed";
/// ptr (): the gang's frame.
inline constexpr llvm::StringLiteral frame_marker = "heddle.frame";
/// ptr (): this thread's WarpRequest.
inline constexpr llvm::StringLiteral request_marker = "heddle.request";
/// i32 (i32): the value of the first active lane.
inline constexpr llvm::StringLiteral first_marker = "heddle.first";
/// i1 (i32 mask): whether all living threads of the mask execute this together, with the same mask.
inline constexpr llvm::StringLiteral together_marker = "heddle.together";

/// i1 (i64 value, i64 low): whether low <= value < low + 2^32 in all lanes of the gang, active or
/// not. Expects a value with a scalar base (Shape::hasRowBases).
inline constexpr llvm::StringLiteral in_range_marker = "heddle.in.range";

/// Size of a cache line.
inline constexpr unsigned line_bytes = 64;
/// void (ptr, i32 bytes): a prefetch of this range.
inline constexpr llvm::StringLiteral prefetch_marker = "heddle.prefetch";

/// Metadata of loads for which loop_prefetch has emitted all the prefetches needed.
inline constexpr llvm::StringLiteral foreseen_load = "heddle.foreseen";

/// Declares the marker in this module.
llvm::FunctionCallee marker(llvm::Module &module, llvm::StringRef name);

/// The name of the called marker or built-in function; empty for other calls.
llvm::StringRef calledName(const llvm::Value &value);

inline llvm::CallInst *callMarker(llvm::IRBuilderBase &builder, llvm::StringRef name,
                                  llvm::ArrayRef<llvm::Value *> arguments = {}) {
  llvm::Module &module = *builder.GetInsertBlock()->getModule();
  return builder.CreateCall(marker(module, name), arguments);
}

/// The argument of a thread's function (normalize/thread_function.h) that points to the launch's
/// parameters.
inline constexpr unsigned parameters_argument = 1;

} // namespace heddle::engine::simd

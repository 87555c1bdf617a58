// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The few pseudo-functions by which the passes of the SIMD engine speak to each other.
//
// All passes before `widen` work on the code of a single thread. What that code must say about the
// gang it is part of, it says by calls of these, which `widen` replaces.
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

namespace heddle::engine::simd {

/// void (i1): from here to the end of the block, only threads for which the argument holds execute.
/// A block without it is executed by all threads of the gang. Its argument holds for at least one.
inline constexpr llvm::StringLiteral mask_marker = "heddle.mask";
/// i1 (): whether this thread exists and takes part in this run of the gang.
inline constexpr llvm::StringLiteral active_marker = "heddle.active";
/// i1 (i1): whether the argument holds for any, or for all, executing threads of the gang.
inline constexpr llvm::StringLiteral any_marker = "heddle.any";
inline constexpr llvm::StringLiteral all_marker = "heddle.all";
/// i32 (): the thread's place in its gang.
inline constexpr llvm::StringLiteral lane_marker = "heddle.lane";
/// i32 (): where the gang is to go on; 0 at the kernel's start.
inline constexpr llvm::StringLiteral state_marker = "heddle.state";
/// ptr (i32 state, i32 kind, i32, i32, i32): begins a GroupRecord of the executing threads and
/// returns the memory behind it, for what is the same in all of them (engine/abi.h).
inline constexpr llvm::StringLiteral suspend_marker = "heddle.suspend";
/// ptr (): the memory behind the record of the group that goes on.
inline constexpr llvm::StringLiteral resumed_marker = "heddle.resumed";
/// ptr (): the gang's frame.
inline constexpr llvm::StringLiteral frame_marker = "heddle.frame";
/// ptr (): this thread's WarpRequest.
inline constexpr llvm::StringLiteral request_marker = "heddle.request";
/// i32 (i32): the value that the first executing thread has.
inline constexpr llvm::StringLiteral first_marker = "heddle.first";
/// i1 (i32 mask): whether all living threads that the mask names execute this, with the same mask.
inline constexpr llvm::StringLiteral together_marker = "heddle.together";

/// i1 (i64 value, i64 low): whether low <= value < low + 2^32 in all threads of the gang, also in
/// those that do not execute this. Expects a value that has a scalar form (Shape::hasRowBases).
inline constexpr llvm::StringLiteral in_range_marker = "heddle.in.range";

/// Of memory, as caches have it.
inline constexpr unsigned line_bytes = 64;
/// void (ptr, i32 bytes): the caches may fetch this.
inline constexpr llvm::StringLiteral prefetch_marker = "heddle.prefetch";

/// Metadata of loads that need no other prefetching.
inline constexpr llvm::StringLiteral foreseen_load = "heddle.foreseen";

/// The marker's declaration in this module.
llvm::FunctionCallee marker(llvm::Module &module, llvm::StringRef name);

/// The call's marker or built-in function by name; empty for other calls.
llvm::StringRef calledName(const llvm::Value &value);

inline llvm::CallInst *callMarker(llvm::IRBuilderBase &builder, llvm::StringRef name,
                                  llvm::ArrayRef<llvm::Value *> arguments = {}) {
  llvm::Module &module = *builder.GetInsertBlock()->getModule();
  return builder.CreateCall(marker(module, name), arguments);
}

/// The argument of threads' functions (normalize/thread_function.h) that is the address of the
/// launch's parameters.
inline constexpr unsigned parameters_argument = 1;

} // namespace heddle::engine::simd

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The synchronising built-ins by name: what each does, and the meaning of its arguments.
//
// Both engines' compilers use this table: the reference engine's to call the service, the SIMD
// engine's to find suspend points.
#pragma once

#include "engine/abi.h"

#include "llvm/ADT/StringRef.h"

#include <optional>

namespace heddle::engine {

/// A barrier of the block: PTX ISA, "bar.sync", "bar.red". Members are argument numbers, or -1.
struct BarrierForm {
  BarrierReduction reduction = BarrierReduction::None;
  int id = -1, count = -1, predicate = -1;
};
std::optional<BarrierForm> barrierForm(llvm::StringRef name);

/// A warp operation: PTX ISA, "shfl.sync", "vote.sync", "match.sync", "redux.sync",
/// "bar.warp.sync". Members are argument numbers, or -1.
struct WarpForm {
  WarpOperation operation;
  uint32_t mode = 0; // ShuffleMode, VoteMode or ReduceOperation
  unsigned mask = 0;
  int value = -1, lane = -1, clamp = -1;
  bool pair = false; // returns {value, predicate}
};
std::optional<WarpForm> warpForm(llvm::StringRef name);

/// i1 (ptr site, i64 address, i64 bytes, ptr base, i64 value): reports an access to the observer,
/// and returns whether it may happen (instrument/accesses.h, engine/observe). `value`: what will be
/// stored, or poison.
inline constexpr llvm::StringLiteral observe_marker = "heddle.observe";
/// void (ptr site, i64 handle, i32 x, i32 y, i32 z, i32 layer, float level): reports a fetch from a
/// texture to the observer.
inline constexpr llvm::StringLiteral observe_fetch_marker = "heddle.observe.fetch";
/// i1 (i64 address, i64 bytes, i64 begin, i64 end, i64 alignment): whether so many bytes at the
/// address are between begin and end, and aligned, in all threads of the gang that execute this. It
/// may say no where that is so. Only the address differs from thread to thread.
inline constexpr llvm::StringLiteral within_marker = "heddle.within";
/// ptr (): the table of extents (engine/observe/extents.h).
inline constexpr llvm::StringLiteral extents_function = "__heddle_extents";

/// Counting (instrument/counts.h, engine/observe/counted_site.h).
inline constexpr llvm::StringLiteral count_prefix = "heddle.count.";
/// void (ptr site, i64 key): the basic block is executed. The key: which rounds of the loops around
/// it these are, if warps are counted in pairs; else 0.
inline constexpr llvm::StringLiteral count_block_marker = "heddle.count.block";
/// void (ptr site, i1 condition, i64 key): the branch at its end is.
inline constexpr llvm::StringLiteral count_branch_marker = "heddle.count.branch";
/// void (ptr site, ptr address): memory is accessed; of local memory, i64 offset.
inline constexpr llvm::StringLiteral count_access_marker = "heddle.count.access";
inline constexpr llvm::StringLiteral count_local_marker = "heddle.count.local";
/// void (ptr site, i64 handle, i32 x, i32 y, i32 z, i32 layer, float level): a texture or surface.
inline constexpr llvm::StringLiteral count_fetch_marker = "heddle.count.fetch";
/// The module's CountedSites.
inline constexpr llvm::StringLiteral counted_sites_name = "heddle.counted.sites";

} // namespace heddle::engine

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The built-ins at which threads meet, by name: what they do, and which argument means what.
//
// Both compilers ask here: the one for the reference engine to call a service, the one for the SIMD
// engine to find the places where a thread may have to wait.
#pragma once

#include "engine/abi.h"

#include "llvm/ADT/StringRef.h"

#include <optional>

namespace heddle::engine {

/// A barrier of the block: PTX ISA, "bar.sync", "bar.red". Numbers are those of arguments, or -1.
struct BarrierForm {
  BarrierReduction reduction = BarrierReduction::None;
  int id = -1, count = -1, predicate = -1;
};
std::optional<BarrierForm> barrierForm(llvm::StringRef name);

/// An operation of a warp: PTX ISA, "shfl.sync", "vote.sync", "match.sync", "redux.sync",
/// "bar.warp.sync". Numbers are those of arguments, or -1.
struct WarpForm {
  WarpOperation operation;
  uint32_t mode = 0; // ShuffleMode, VoteMode or ReduceOperation
  unsigned mask = 0;
  int value = -1, lane = -1, clamp = -1;
  bool pair = false; // returns {value, predicate}
};
std::optional<WarpForm> warpForm(llvm::StringRef name);

/// i1 (ptr site, i64 address, i64 bytes, ptr base): whether an access may happen, of which an
/// observer is told first (instrument/accesses.h, engine/observe).
inline constexpr llvm::StringLiteral observe_marker = "heddle.observe";

/// Counting (instrument/counts.h, engine/observe/counted_site.h).
inline constexpr llvm::StringLiteral count_prefix = "heddle.count.";
/// void (ptr site): the basic block is executed.
inline constexpr llvm::StringLiteral count_block_marker = "heddle.count.block";
/// void (ptr site, i1 condition): the branch at its end is.
inline constexpr llvm::StringLiteral count_branch_marker = "heddle.count.branch";
/// void (ptr site, ptr address): memory is accessed; of local memory, i64 offset.
inline constexpr llvm::StringLiteral count_access_marker = "heddle.count.access";
inline constexpr llvm::StringLiteral count_local_marker = "heddle.count.local";
/// The module's CountedSites.
inline constexpr llvm::StringLiteral counted_sites_name = "heddle.counted.sites";

} // namespace heddle::engine

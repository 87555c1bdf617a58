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

} // namespace heddle::engine

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The ways to emit a load or store of a gang, in order of preference: the first that fits is used.
//
// A kind decides by the shape of the address (shapes.h), the active lanes, and what the CPU has. A
// kind that does not fit an access says so before it emits anything that could be observed.
#pragma once

#include "engine/compiler/simd/widen/vector_builder.h"

namespace heddle::engine::simd {

struct AccessKind {
  const char *name;
  const char *addresses; // of which it is the access, for `heddle-opt --list-accesses`
  Remark::Kind remark;
  /// Returns the loaded value, or null if the kind does not fit. A null function never does.
  llvm::Value *(*load)(VectorBuilder &v, llvm::LoadInst &old);
  bool (*store)(VectorBuilder &v, llvm::StoreInst &old);
  bool optional = true; // a later kind could do it (HEDDLE_SIMD_SKIP, skipped.h)
};

/// Optional as well: read-modify-writes in place (strided_rmw.h), by lane (lane_rmw.h), and of few
/// counters (widen_histogram.h).
inline constexpr const char *update_in_place = "update-in-place";
inline constexpr const char *update_by_lane = "update-by-lane";
inline constexpr const char *update_counters = "update-counters";
inline constexpr const char *update_kinds[] = {update_in_place, update_by_lane, update_counters};

llvm::ArrayRef<AccessKind> accessKinds();

llvm::Value *widenLoad(VectorBuilder &v, llvm::LoadInst &old);
void widenStore(VectorBuilder &v, llvm::StoreInst &old);

} // namespace heddle::engine::simd

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Emits loads and stores of a gang, each as the kind that the plan says (plan/access_plan.h).
#pragma once

#include "engine/compiler/simd/widen/vector_builder.h"

namespace heddle::engine::simd {

/// The code of a kind of access.
struct AccessEmitter {
  const char *kind; // AccessKind::name
  Remark::Kind remark;
  /// Returns the loaded value, or null if it has defined a value for each row instead.
  llvm::Value *(*load)(VectorBuilder &v, llvm::LoadInst &old);
  void (*store)(VectorBuilder &v, llvm::StoreInst &old); // null: loads only
};

/// Optional as well: read-modify-writes in place (strided_rmw.h), by lane (lane_rmw.h), and of few
/// counters (widen_histogram.h).
inline constexpr const char *update_in_place = "update-in-place";
inline constexpr const char *update_by_lane = "update-by-lane";
inline constexpr const char *update_counters = "update-counters";
inline constexpr const char *update_kinds[] = {update_in_place, update_by_lane, update_counters};

/// In the order of accessKinds().
llvm::ArrayRef<AccessEmitter> accessEmitters();

void widenLoad(VectorBuilder &v, llvm::LoadInst &old);
void widenStore(VectorBuilder &v, llvm::StoreInst &old);

} // namespace heddle::engine::simd

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One kernel on its way through the passes: its code, and what passes have found out or decided.
#pragma once

#include "engine/compiler/codegen/target_profile.h"
#include "engine/compiler/simd/control/suspend_lowering.h"
#include "engine/compiler/simd/optimize/shared_array_transposition.h"
#include "engine/compiler/simd/plan/gang_width.h"
#include "engine/compiler/simd/simd_table.h"
#include "engine/compiler/simd/widen/widen.h"
#include "module/image.h"

#include <string>
#include <vector>

namespace heddle::engine::simd {

struct KernelCode {
  llvm::Module &module;
  llvm::Function *function; // of a thread; behind `widen`, of a gang
  const KernelInfo &info;
  const Variant &variant;
  const TargetProfile &target;
  const SharedArrays &arrays;   // that may be transposed
  std::vector<Remark> *remarks; // for --explain-codegen, or null

  GangWidth width;
  LaneLayout layout;
  bool wider = false; // than choose-lanes made it
  SuspensionResult waits;
  unsigned blocks_ahead = 1;    // loop_prefetch.h
  bool strips = false;          // it may run strips of blocks (block_coarsening.h)
  bool foreseen_strips = false; // which the CPU foresees
  CompiledKernel result;
};

/// Whether a gang's function runs gang after gang, instead of one.
bool sweeps(const KernelCode &code);

WidenOptions widenOptions(const KernelCode &code);

/// What the passes have decided so far, for a function attribute, from which heddle-opt goes on.
inline constexpr const char *state_attribute = "heddle.compiler.state";
std::string stateOf(const KernelCode &code);
/// Throws std::runtime_error if `text` is not what stateOf gives.
void setState(KernelCode &code, const std::string &text);

} // namespace heddle::engine::simd

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The state of one kernel during compilation: its code, and the results and decisions of passes.
#pragma once

#include "engine/compiler/codegen/target_profile.h"
#include "engine/compiler/simd/control/suspend_lowering.h"
#include "engine/compiler/simd/optimize/shared_array_transposition.h"
#include "engine/compiler/simd/plan/gang_width.h"
#include "engine/compiler/simd/simd_table.h"
#include "engine/compiler/simd/widen/widen.h"
#include "module/image/image.h"

#include <string>
#include <vector>

namespace heddle::engine::simd {

struct KernelCode {
  llvm::Module &module;
  llvm::Function *function; // of a thread; after `widen`, of a gang
  const KernelInfo &info;
  const Variant &variant;
  const TargetProfile &target;
  const SharedArrays &arrays;   // candidates for transposition
  std::vector<Remark> *remarks; // for --explain-codegen; may be null

  GangWidth width;
  LaneLayout layout;
  bool wider = false; // than choose-lanes chose
  SuspensionResult waits;
  unsigned blocks_ahead = 1;    // loop_prefetch.h
  bool strips = false;          // may run strips of blocks (block_coarsening.h)
  bool foreseen_strips = false; // the hardware prefetcher follows the strips
  CompiledKernel result;
};

/// Whether the gang function is a sweep, which runs gang after gang, instead of one gang.
bool sweeps(const KernelCode &code);

WidenOptions widenOptions(const KernelCode &code);

/// The decisions of passes so far, as the text of a function attribute, from which heddle-opt
/// continues.
inline constexpr const char *state_attribute = "heddle.compiler.state";
std::string stateOf(const KernelCode &code);
/// Throws std::runtime_error if `text` is not a result of stateOf.
void setState(KernelCode &code, const std::string &text);

} // namespace heddle::engine::simd

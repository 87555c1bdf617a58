// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The engine's choices at a launch: deviations from running the program's blocks one by one in
// gangs of a warp. Results do not depend on them. A table lists the choices and their
// preconditions; users and tools can switch them off:
//
//   HEDDLE_SIMD_DISABLE=NAME,...   these, or `all`
//
// With `all`, one gang is one warp and one block one block, as on a GPU: tools that observe warps
// (engine/observe) need that.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace heddle::engine::simd {

enum class Choice {
  FuseBlocks,          // fused_blocks.h
  ExpandGridStride,    // grid_stride_expansion.h
  CoarsenBlocks,       // compiler/simd/plan/block_coarsening.h
  AggregateAppends,    // kept_appends.h
  PrivatizeHistograms, // kept_counts.h
  StreamStores,        // compiler/simd/optimize/nontemporal_stores.h
  WideGangs,           // compiler/simd/plan/gang_width.h
  TurnBlocks,          // lane_axis.h
  PadRows,             // padded_rows.h
};

struct ChoiceInfo {
  Choice choice;
  const char *name;         // in HEDDLE_SIMD_DISABLE
  const char *precondition; // for users
};

/// All choices, in the order of the enumeration.
const std::vector<ChoiceInfo> &choices();

/// A set of choices.
class Choices {
public:
  static Choices all();
  static Choices none() { return Choices(0); }
  bool allow(Choice choice) const { return (bits_ >> unsigned(choice)) & 1; }
  Choices without(Choice choice) const { return Choices(bits_ & ~(1u << unsigned(choice))); }
  bool operator==(const Choices &) const = default;

private:
  explicit Choices(unsigned bits) : bits_(bits) {}
  unsigned bits_;
};

/// All choices except those in a comma-separated list of names. Unknown names are appended to
/// `unknown`.
Choices choicesWithout(std::string_view names, std::vector<std::string> &unknown);

/// The choices left by HEDDLE_SIMD_DISABLE; unknown names are reported on stderr, once.
Choices allowedChoices();

} // namespace heddle::engine::simd

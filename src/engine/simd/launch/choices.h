// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the engine may do at a launch beside running the program's blocks one by one, each in gangs
// of the width that is best. Results do not depend on any of it. A table lists all of these choices
// with what a launch must meet for each; a person or a tool can switch them off:
//
//   HEDDLE_SIMD_DISABLE=NAME,...   these, or `all`
//
// With `all`, one gang is one warp and one block one block, as a GPU runs them: what tools that
// observe warps (engine/observe) need.
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
};

struct ChoiceInfo {
  Choice choice;
  const char *name;         // in HEDDLE_SIMD_DISABLE
  const char *precondition; // for people
};

/// All of them, in the order of the enumeration.
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

/// All but those that a list of names takes away, separated by commas. What names none of them is
/// appended to `unknown`.
Choices choicesWithout(std::string_view names, std::vector<std::string> &unknown);

/// What HEDDLE_SIMD_DISABLE leaves; names that are unknown are told on stderr, once.
Choices allowedChoices();

} // namespace heddle::engine::simd

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/simd/launch/choices.h"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace heddle::engine::simd {

const std::vector<ChoiceInfo> &choices() {
  static const std::vector<ChoiceInfo> table = {
      {Choice::FuseBlocks, "fuse-blocks",
       "the kernel uses x only for its place in the grid, and 64 blocks or more are left"},
      {Choice::ExpandGridStride, "expand-grid-stride",
       "the kernel is one loop in steps of the grid, and its arrays do not overlap"},
      {Choice::CoarsenBlocks, "coarsen-blocks", "nothing ties the threads of a block together"},
      {Choice::AggregateAppends, "aggregate-appends",
       "count and queue lie in allocations that the launch does not access otherwise"},
      {Choice::PrivatizeHistograms, "privatize-histograms",
       "the array lies in an allocation that the launch does not access otherwise, and has at most "
       "an element for every eight threads"},
      {Choice::StreamStores, "stream-stores",
       "the launch stores more than the last cache holds, and does not read it"},
      {Choice::WideGangs, "wide-gangs", "no operation of the kernel is one of a warp"},
      {Choice::TurnBlocks, "turn-blocks",
       "no operation of the kernel is one of a warp, atomic or output, and neighbours along "
       "threadIdx.y or z access memory side by side"},
      {Choice::PadRows, "pad-rows",
       "likewise, and rows of the block are neither whole gangs nor powers of two"},
  };
  return table;
}

Choices Choices::all() { return Choices((1u << choices().size()) - 1); }

Choices choicesWithout(std::string_view names, std::vector<std::string> &unknown) {
  Choices result = Choices::all();
  while (!names.empty()) {
    const size_t comma = std::min(names.find(','), names.size());
    const std::string_view name = names.substr(0, comma);
    names.remove_prefix(std::min(comma + 1, names.size()));
    const auto found = std::find_if(choices().begin(), choices().end(),
                                    [&](const ChoiceInfo &info) { return info.name == name; });
    if (name == "all")
      result = Choices::none();
    else if (found != choices().end())
      result = result.without(found->choice);
    else if (!name.empty())
      unknown.emplace_back(name);
  }
  return result;
}

Choices allowedChoices() {
  static const Choices allowed = [] {
    const char *names = std::getenv("HEDDLE_SIMD_DISABLE");
    std::vector<std::string> unknown, known = {"all"};
    const Choices result = choicesWithout(names ? names : "", unknown);
    for (const ChoiceInfo &info : choices())
      known.emplace_back(info.name);
    if (!unknown.empty())
      fmt::print(stderr, "heddle: HEDDLE_SIMD_DISABLE: there is no {}; there are {}\n",
                 fmt::join(unknown, ", "), fmt::join(known, ", "));
    return result;
  }();
  return allowed;
}

} // namespace heddle::engine::simd

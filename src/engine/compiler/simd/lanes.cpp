// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/simd/lanes.h"

#include <algorithm>
#include <charconv>
#include <stdexcept>
#include <string>

namespace heddle::engine::simd {

Variant parseVariant(std::string_view engine) {
  const auto broken = [&] {
    return std::runtime_error("there is no engine '" + std::string(engine) + "'");
  };
  constexpr std::string_view prefix = "simd:";
  if (!engine.starts_with(prefix))
    throw broken();
  engine.remove_prefix(prefix.size());
  Variant result;
  const auto [end, error] =
      std::from_chars(engine.data(), engine.data() + engine.size(), result.granularity);
  const unsigned g = result.granularity;
  if (error != std::errc() || g == 0 || g > 32 || (g & (g - 1)))
    throw broken();
  engine.remove_prefix(size_t(end - engine.data()));
  if (engine.starts_with("x")) {
    result.exact = true;
    engine.remove_prefix(1);
  }
  if (engine != ":full" && engine != ":partial")
    throw broken();
  result.full = engine == ":full";
  return result;
}

LaneLayout layoutFor(const Variant &variant, unsigned wanted, bool whole_warps) {
  if (wanted == 1)
    return {.lanes = 1};
  LaneLayout layout;
  layout.full = variant.full;
  // Rows that fill a warp need not be alone in a gang.
  const unsigned in_step =
      variant.exact ? variant.granularity * LaneLayout::most_rows : variant.granularity;
  layout.lanes = whole_warps ? 32 : std::max(8u, std::min(wanted, in_step));
  if (variant.granularity >= layout.lanes) {
    layout.kind = LaneLayout::Kind::Row;
  } else if (variant.exact) {
    layout.kind = LaneLayout::Kind::Tiled;
    layout.row = variant.granularity;
  } else {
    layout.kind = LaneLayout::Kind::General;
  }
  // Of a one-dimensional block, which has class 32, nothing is known about blockDim.x but that its
  // gangs lie in a row; if it is full, it is a multiple of 32.
  layout.x_multiple = variant.granularity == 32 && !variant.full ? 1 : variant.granularity;
  return layout;
}

} // namespace heddle::engine::simd

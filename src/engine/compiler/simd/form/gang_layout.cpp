// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/simd/form/gang_layout.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <stdexcept>
#include <string>

namespace heddle::engine::simd {
namespace {

// Parses a power of two of at most `most` at the start of the text and removes it; 0 if there is
// none.
uint32_t takePower(std::string_view &text, uint32_t most) {
  uint32_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || number > most || !std::has_single_bit(number))
    return 0;
  text.remove_prefix(size_t(end - text.data()));
  return number;
}

} // namespace

Variant parseVariant(std::string_view engine) {
  const auto broken = [&] {
    return std::runtime_error("there is no engine '" + std::string(engine) + "'");
  };
  constexpr std::string_view prefix = "simd:";
  if (!engine.starts_with(prefix))
    throw broken();
  std::string_view rest = engine.substr(prefix.size());
  Variant result;
  result.granularity = takePower(rest, Variant::longest);
  if (rest.starts_with("x")) {
    rest.remove_prefix(1);
    result.tiled = takePower(rest, Variant::widest_whole);
    if (result.tiled < 32 || result.granularity > 32)
      throw broken();
  }
  if (rest.ends_with(":y") || rest.ends_with(":z")) {
    result.lane_axis = rest.back() == 'y' ? 1 : 2;
    rest.remove_suffix(2);
  }
  constexpr std::string_view warps = ":warps";
  result.warps = rest.ends_with(warps);
  if (result.warps)
    rest.remove_suffix(warps.size());
  result.whole = rest == ":whole" && result.granularity >= (result.tiled ? 1 : 32);
  result.full = rest == ":full" || result.whole;
  const bool sized = result.blockSize() != 0;
  if (result.granularity == 0 || (!sized && result.granularity > Variant::widest) ||
      (!result.full && rest != ":partial") ||
      (result.warps && (result.whole || std::max(result.granularity, result.tiled) > 32)))
    throw broken();
  return result;
}

LaneLayout layoutFor(const Variant &variant, unsigned wanted, bool whole_warps) {
  if (wanted == 1)
    return {.lanes = 1};
  LaneLayout layout;
  layout.full = variant.full;
  // Rows of known length may share a gang.
  const unsigned in_step = std::max(
      variant.granularity, std::min(variant.tiled, variant.granularity * Variant::most_rows));
  layout.lanes = whole_warps ? 32 : std::max(8u, std::min(wanted, in_step));
  layout.whole = variant.whole && layout.lanes == std::max(variant.tiled, variant.blockSize());
  if (variant.granularity >= layout.lanes) {
    layout.kind = LaneLayout::Kind::Row;
  } else if (variant.tiled) {
    layout.kind = LaneLayout::Kind::Tiled;
    layout.row = variant.granularity;
  } else {
    layout.kind = LaneLayout::Kind::General;
  }
  // A one-dimensional block has class 32, which says only that its gangs lie in a row, and that
  // blockDim.x is a multiple of 32 if it is full. No more than gangs need is assumed, so that the
  // code can be shared with other classes.
  const unsigned needed = std::max(32u, layout.lanes);
  layout.x_multiple =
      variant.granularity == 32 && !variant.full ? 1 : std::min(variant.granularity, needed);
  return layout;
}

} // namespace heddle::engine::simd

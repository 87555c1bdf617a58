// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/simd/launch/block_shape_class.h"

#include <algorithm>
#include <bit>
#include <fmt/format.h>

namespace heddle::engine::simd {
namespace {

constexpr uint32_t warp = 32;

uint32_t largestPowerOfTwoIn(uint32_t number) {
  return std::min(Variant::widest, 1u << std::countr_zero(number));
}

bool rowsTile(const Dim3 &block, uint32_t threads) {
  return threads % block.x == 0 && (block.x * block.y % threads == 0 || block.z == 1);
}

// The largest number of threads, at least a warp, that form whole rows wherever they begin.
uint32_t tiledBy(const Dim3 &block) {
  const uint32_t most_rows = Variant::most_rows, whole = uint32_t(block.count());
  if (whole >= warp && whole <= std::min(Variant::widest_whole, block.x * most_rows) &&
      std::has_single_bit(whole) && rowsTile(block, whole))
    return whole;
  uint32_t threads = std::min(Variant::widest, block.x * most_rows / 2);
  while (threads > warp && (block.count() % threads != 0 || !rowsTile(block, threads)))
    threads /= 2;
  return std::max(threads, warp);
}

} // namespace

uint32_t Variant::index() const {
  const auto log2 = [](uint32_t power) { return uint32_t(std::countr_zero(power)); };
  if (warps)
    return of_warps + (log2(granularity) * 2 + (tiled != 0)) * 2 + full;
  const uint32_t extent = whole ? 2 : full;
  return (log2(granularity) * 3 + extent) * 5 + (tiled ? log2(tiled) - log2(warp) + 1 : 0);
}

std::string Variant::engineName() const {
  constexpr const char *axes[] = {"", ":y", ":z"};
  return fmt::format("simd:{}{}:{}{}{}", granularity, tiled ? fmt::format("x{}", tiled) : "",
                     whole  ? "whole"
                     : full ? "full"
                            : "partial",
                     warps ? ":warps" : "", axes[lane_axis]);
}

namespace {

Variant widestVariantFor(const Dim3 &block) {
  Variant variant;
  variant.full = block.count() % warp == 0;
  if (block.y == 1 && block.z == 1) {
    variant.whole = variant.full && block.x <= Variant::longest && std::has_single_bit(block.x);
    if (variant.full)
      variant.granularity = variant.whole ? block.x : largestPowerOfTwoIn(block.x);
    return variant;
  }
  variant.granularity = largestPowerOfTwoIn(block.x);
  if (block.x == variant.granularity && block.x <= warp && rowsTile(block, warp))
    variant.tiled = tiledBy(block);
  if (variant.tiled == block.x) // then a warp is a row
    variant.tiled = 0;
  variant.whole = variant.tiled && block.count() == variant.tiled;
  return variant;
}

} // namespace

Variant variantFor(const Dim3 &block, bool warps) {
  Variant variant = widestVariantFor(block);
  if (warps) {
    variant.warps = true;
    variant.whole = false;
    variant.granularity = std::min(variant.granularity, warp);
    variant.tiled = std::min(variant.tiled, variant.granularity < warp ? warp : 0);
  }
  return variant;
}

const char *whyNot(const SimdKernelInfo &info, const Launch &launch) {
  if (!info.entry)
    return info.reason ? info.reason : "it cannot be vectorised yet";
  for (uint32_t i = 0; i < info.aligned_count; ++i) {
    const AlignedParameter &parameter = info.aligned[i];
    if (parameterAt(launch, parameter.offset, sizeof(void *)) % parameter.alignment != 0)
      return "a pointer argument is not aligned as its type demands";
  }
  const Dim3 &grid = launch.grid, &block = launch.block;
  constexpr uint64_t most = uint64_t(1) << 31;
  if (uint64_t(grid.x) * block.x >= most || uint64_t(grid.y) * block.y >= most ||
      uint64_t(grid.z) * block.z >= most)
    return "the grid has 2^31 or more threads in one dimension";
  return nullptr;
}

} // namespace heddle::engine::simd

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/simd/variant.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <fmt/format.h>

namespace heddle::engine::simd {
namespace {

constexpr uint32_t warp = 32;

bool rowsTileWarps(const Dim3 &block) {
  return warp % block.x == 0 && (block.x * block.y % warp == 0 || block.z == 1);
}

} // namespace

uint32_t Variant::index() const {
  return uint32_t(std::countr_zero(granularity)) * 4 + exact * 2u + full;
}

std::string Variant::engineName() const {
  return fmt::format("simd:{}{}:{}", granularity, exact ? "x" : "", full ? "full" : "partial");
}

Variant variantFor(const Dim3 &block) {
  Variant variant;
  variant.full = block.count() % warp == 0;
  if (block.y == 1 && block.z == 1)
    return variant;
  variant.granularity = std::min(warp, 1u << std::countr_zero(block.x));
  variant.exact = block.x == variant.granularity && block.x < warp && rowsTileWarps(block);
  return variant;
}

const char *whyNot(const SimdKernelInfo &info, const Launch &launch) {
  if (!info.entry)
    return info.reason ? info.reason : "it cannot be vectorised yet";
  for (uint32_t i = 0; i < info.aligned_count; ++i) {
    const AlignedParameter &parameter = info.aligned[i];
    uintptr_t pointer = 0;
    std::memcpy(&pointer, static_cast<const char *>(launch.parameters) + parameter.offset,
                sizeof pointer);
    if (pointer % parameter.alignment != 0)
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

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/simd/launch/facts.h"

#include <nlohmann/json.hpp>

namespace heddle::engine::simd {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(GridStride::Array, parameter, element_bytes, stored)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(GridStride, bound_offset, bound_bytes, arrays)
// What an older compiler did not look for is not there.
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(AxisAccesses, uniform, contiguous, scattered,
                                                fusible_block_dim)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(LaunchFacts, fusible_block_dim, fused_row,
                                                grid_stride, axes)

std::string writeFacts(const LaunchFacts &facts) { return nlohmann::json(facts).dump(); }

LaunchFacts readFacts(const std::string &text) {
  return text.empty() ? LaunchFacts() : nlohmann::json::parse(text).get<LaunchFacts>();
}

} // namespace heddle::engine::simd

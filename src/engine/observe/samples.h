// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Of each access to memory, the addresses of one request: one with most units (AccessCounter),
// which is what heddle profile draws.
//
// Of several with as many it is one that most lanes take part in, and of these the one with the
// lowest addresses, lane by lane, seen from the first line of 128 bytes. So it does not depend on
// which worker has run what, on what came first, or on where memory lies.
#pragma once

#include "engine/warp.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

namespace heddle::engine::observe {

struct Sample {
  uint32_t units = 0, lanes = 0; // lanes that take part
  /// Of each lane's address, from the first line of 128 bytes on; 0 of lanes that take no part.
  std::array<uint64_t, warp_size> offsets{};

  bool worseThan(const Sample &other) const {
    return std::tuple(units, std::popcount(lanes), other.offsets, other.lanes) >
           std::tuple(other.units, std::popcount(other.lanes), offsets, lanes);
  }
};

/// By the number of the access's first counter.
using SampleMap = std::map<uint32_t, Sample>;

/// Keeps the worse of each.
inline void keepWorse(SampleMap &all, const SampleMap &more) {
  for (const auto &[access, sample] : more)
    if (Sample &kept = all[access]; sample.worseThan(kept))
      kept = sample;
}

/// Those of one worker in one launch.
class Samples {
public:
  explicit Samples(uint32_t counters) : most_(counters) {}

  /// A request of the access, by at least one lane.
  void offer(uint32_t access, uint32_t lanes, uint32_t units, const uint64_t *addresses) {
    if (units + 1 < most_[access])
      return;
    most_[access] = units + 1;
    constexpr uint64_t line_bytes = 128;
    uint64_t first = ~uint64_t(0);
    forEachLane(lanes, [&](uint32_t lane) { first = std::min(first, addresses[lane]); });
    first = first / line_bytes * line_bytes;
    Sample sample{units, lanes, {}};
    forEachLane(lanes, [&](uint32_t lane) { sample.offsets[lane] = addresses[lane] - first; });
    if (Sample &kept = all_[access]; sample.worseThan(kept))
      kept = sample;
  }

  const SampleMap &all() const { return all_; }

private:
  std::vector<uint32_t> most_; // units + 1, by the number of the access's first counter
  SampleMap all_;
};

} // namespace heddle::engine::observe

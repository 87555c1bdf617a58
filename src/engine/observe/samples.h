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
#include <utility>
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

/// Those of one worker in one launch. Most requests are soon seen not to be worse than what is
/// kept.
class Samples {
public:
  explicit Samples(uint32_t counters) : kept_(counters) {}

  /// A request of the access, by at least one lane.
  void offer(uint32_t access, uint32_t lanes, uint32_t units, const uint64_t *addresses) {
    Kept &kept = kept_[access];
    const uint32_t rank = units * (warp_size + 1) + uint32_t(std::popcount(lanes));
    if (rank < kept.rank)
      return;
    constexpr uint64_t line_bytes = 128;
    uint64_t first = ~uint64_t(0);
    forEachLane(lanes, [&](uint32_t lane) { first = std::min(first, addresses[lane]); });
    first = first / line_bytes * line_bytes;
    const auto offset = [&](uint32_t lane) {
      return lanes >> lane & 1 ? addresses[lane] - first : 0;
    };
    if (kept.rank == 0)
      kept.number = uint32_t(samples_.size()), samples_.push_back({access, {}});
    Sample &sample = samples_[kept.number].second;
    if (rank == kept.rank) {
      uint32_t lane = 0;
      while (lane < warp_size && offset(lane) == sample.offsets[lane])
        ++lane;
      if (lane == warp_size ? lanes >= sample.lanes : offset(lane) > sample.offsets[lane])
        return;
    }
    kept.rank = rank;
    sample.units = units;
    sample.lanes = lanes;
    for (uint32_t lane = 0; lane < warp_size; ++lane)
      sample.offsets[lane] = offset(lane);
  }

  SampleMap all() const { return {samples_.begin(), samples_.end()}; }

private:
  struct Kept {
    uint32_t rank = 0;   // by units, then by lanes; 0: there is none
    uint32_t number = 0; // in samples_
  };
  std::vector<Kept> kept_; // by the number of the access's first counter
  std::vector<std::pair<uint32_t, Sample>> samples_;
};

} // namespace heddle::engine::observe

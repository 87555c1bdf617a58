// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/observe/requests/warp_pairs.h"

#include <algorithm>

namespace heddle::engine::observe {

void WarpPair::visit(const CountedSite &site, uint32_t half, uint32_t lanes, uint32_t taken,
                     uint64_t key) {
  Place place{&site, key, 0};
  PairVisit *visit = nullptr;
  for (;; ++place.again) {
    const auto [known, fresh] = known_.try_emplace(place, visits_.size());
    if (fresh)
      visits_.push_back({&site});
    visit = &visits_[known->second];
    if (!visit->lanes[half])
      break;
  }
  visit->lanes[half] = lanes;
  visit->taken[half] = taken;
  if (site.kind == CountedKind::Branch)
    visit->rank[half] = ++ranks_[half][site.visit_slot];
}

std::vector<const PairVisit *> WarpPair::inOrder(uint32_t visit_slot) const {
  std::vector<const PairVisit *> of_half[2], result;
  for (const PairVisit &visit : visits_)
    if (visit.site->kind == CountedKind::Branch && visit.site->visit_slot == visit_slot)
      for (const uint32_t half : {0u, 1u})
        if (visit.rank[half])
          of_half[half].push_back(&visit);
  for (const uint32_t half : {0u, 1u})
    std::sort(of_half[half].begin(), of_half[half].end(),
              [half](auto *a, auto *b) { return a->rank[half] < b->rank[half]; });
  auto upper = of_half[1].begin();
  for (const PairVisit *visit : of_half[0]) {
    if (visit->rank[1]) // what only the upper half does before it
      for (; upper != of_half[1].end() && (*upper)->rank[1] <= visit->rank[1]; ++upper)
        if (!(*upper)->rank[0])
          result.push_back(*upper);
    result.push_back(visit);
  }
  for (; upper != of_half[1].end(); ++upper)
    if (!(*upper)->rank[0])
      result.push_back(*upper);
  return result;
}

void WarpPair::clear() {
  visits_.clear();
  known_.clear();
  for (auto &ranks : ranks_)
    ranks.clear();
}

} // namespace heddle::engine::observe

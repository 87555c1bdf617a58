// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device/partition/multiprocessors.h"

#include <algorithm>

namespace heddle {

Grain grainOf(const gpu::Gpu &gpu, bool alone, bool largest_clusters) {
  constexpr unsigned largest_cluster = 16;
  if (gpu.compute_major < 7)
    return {1, 1};
  if (gpu.compute_major < 9)
    return gpu.compute_major < 8 || alone ? Grain{2, 2} : Grain{4, 2};
  if (alone)
    return {2, 2};
  return largest_clusters ? Grain{largest_cluster, 8} : Grain{8, 8};
}

std::optional<Division> divide(unsigned all, unsigned wanted, const Grain &grain, unsigned most) {
  if (wanted > all)
    return std::nullopt;
  const unsigned aligned = (wanted + grain.alignment - 1) / grain.alignment * grain.alignment;
  Division division;
  division.each = std::max(aligned, grain.least);
  division.groups = std::min(all / division.each, most);
  if (division.groups == 0)
    return std::nullopt;
  division.remaining = all - division.groups * division.each;
  return division;
}

unsigned GroupRequest::piece(const Grain &grain) const {
  return coscheduled ? coscheduled : std::max(grain.alignment, 2u);
}

bool isGroup(const gpu::Gpu &gpu, const GroupRequest &request, unsigned all) {
  const unsigned most = gpu.compute_major < 9 ? 2 : 32;
  const unsigned piece = request.coscheduled ? request.coscheduled : 2;
  if (request.count % 2 || request.count > all || piece % 2 || piece > most)
    return false;
  if (request.count % piece && !request.backfill)
    return false;
  return request.preferred <= most && request.preferred % piece == 0;
}

std::optional<unsigned> groupSize(const GroupRequest &request, const Grain &grain, unsigned left) {
  const unsigned piece = request.piece(grain), in_pieces = left / piece * piece;
  if (!request.count)
    return request.backfill && in_pieces ? left : in_pieces;
  const bool fits = request.backfill ? request.count <= left && in_pieces > 0
                                     : request.count <= in_pieces && request.count % piece == 0;
  return fits ? std::optional(request.count) : std::nullopt;
}

} // namespace heddle

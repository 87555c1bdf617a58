// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/observe/requests/pattern_groups.h"

#include "engine/observe/requests/request_loops.h"

#include <algorithm>
#include <bit>

namespace heddle::engine::observe {
namespace {

// Far from the ends of the address space, where a request's addresses never lie.
constexpr uint64_t middle = uint64_t(1) << 62;

// Addresses of all lanes, moved there. `lanes`: those that take part.
void addressesOf(const AddressPattern &pattern, uint32_t lanes, uint64_t *addresses) {
  const uint64_t first = pattern.key >> pattern_first & (pattern_period - 1);
  const uint64_t row = pattern.key >> pattern_row & (2 * warp_size - 1); // a power of two
  const int row_bits = std::countr_zero(row);
  const auto addressOf = [&](uint64_t lane) {
    return first + (lane & (row - 1)) * pattern.stride + (lane >> row_bits) * pattern.step;
  };
  const uint64_t moved =
      middle - addressOf(uint64_t(std::countr_zero(lanes))) / pattern_period * pattern_period;
  for (uint32_t lane = 0; lane < warp_size; ++lane)
    addresses[lane] = addressOf(lane) + moved;
}

constexpr uint64_t withoutLanes(uint64_t key) { return key >> pattern_first << pattern_first; }

void make(PatternGroups &groups, const AddressPattern &pattern, uint32_t bytes) {
  groups.key = withoutLanes(pattern.key);
  groups.stride = pattern.stride;
  groups.step = pattern.step;
  addressesOf(pattern, 1, groups.addresses);
  groups.known = true;
  for (const uint64_t address : groups.addresses)
    groups.known &= address >> sector_bits == (address + bytes - 1) >> sector_bits &&
                    address - middle / 2 < middle;
  const auto group = [&](uint32_t bits, std::vector<uint32_t> &masks) {
    masks.clear();
    for (uint32_t left = ~uint32_t(0); left;) {
      const uint64_t piece = groups.addresses[std::countr_zero(left)] >> bits;
      uint32_t mask = 0;
      forEachLane(left, [&](uint32_t lane) {
        mask |= uint32_t(groups.addresses[lane] >> bits == piece) << lane;
      });
      masks.push_back(mask);
      left &= ~mask;
    }
  };
  group(sector_bits, groups.sectors);
  group(line_bits, groups.lines);
}

// As observe::requestOf finds out, of an access to global memory that is not atomic.
Request requestOf(const PatternGroups &groups, uint32_t lanes, uint32_t bytes) {
  Request request;
  for (const uint32_t mask : groups.sectors)
    request.units += (mask & lanes) != 0;
  for (const uint32_t mask : groups.lines)
    request.lines += (mask & lanes) != 0;
  const auto threads = uint32_t(std::popcount(lanes));
  request.ideal = std::min(request.units, idealSectors(threads, bytes));
  uint64_t lowest = ~uint64_t(0), highest = 0;
  if (int64_t(groups.stride) >= 0 && int64_t(groups.step) >= 0 &&
      groups.key >> pattern_row & warp_size) {
    lowest = groups.addresses[std::countr_zero(lanes)];
    highest = groups.addresses[warp_size - 1 - uint32_t(std::countl_zero(lanes))];
  } else {
    forEachLane(lanes, [&](uint32_t lane) {
      lowest = std::min(lowest, groups.addresses[lane]);
      highest = std::max(highest, groups.addresses[lane]);
    });
  }
  request.unaligned = lowest % (1u << sector_bits) != 0;
  request.broadcast = threads > 1 && lowest == highest;
  return request;
}

} // namespace

Request requestOfPattern(const AddressPattern &pattern, AccessSpace space, bool atomic,
                         uint32_t bytes, uint32_t lanes, std::unique_ptr<PatternGroups> &groups,
                         uint64_t *addresses) {
  if (space == AccessSpace::Global && !atomic && lanes != ~uint32_t(0)) {
    if (!groups)
      groups = std::make_unique<PatternGroups>();
    if (groups->key != withoutLanes(pattern.key) || groups->stride != pattern.stride ||
        groups->step != pattern.step)
      make(*groups, pattern, bytes);
    std::copy_n(groups->addresses, warp_size, addresses);
    if (groups->known)
      return requestOf(*groups, lanes, bytes);
  }
  addressesOf(pattern, lanes, addresses);
  return requestOf(space, lanes, addresses, bytes, atomic);
}

} // namespace heddle::engine::observe

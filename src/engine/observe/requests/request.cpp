// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/observe/requests/request.h"

#include "engine/observe/requests/request_loops.h"
#include "engine/warp.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace heddle::engine::observe {
namespace {

constexpr uint32_t banks = 32, bank_bytes = 4;
constexpr uint32_t wavefront_bytes = banks * bank_bytes;

// The numbers of some lanes, one after the other, and how many of them are different.
class Numbers {
public:
  void add(uint64_t number) { numbers_[count_++] = number; }

  /// How many are different, after division by 2^bits.
  uint32_t different(uint32_t bits) const { return groups(bits).first; }
  /// How many are the same, of the most frequent one.
  uint32_t mostAlike() const { return groups(0).second; }

private:
  // Each puts its name into a table. What finds another one's name there is of its group, if the
  // numbers are the same; else it tries again. Returns how many groups there are, and the size of
  // the largest one.
  std::pair<uint32_t, uint32_t> groups(uint32_t bits) const {
    constexpr uint32_t places_bits = 9;
    uint8_t names[1 << places_bits];
    uint8_t left[most], members[most] = {};
    uint16_t places[most];
    uint32_t rest = count_, different = 0;
    for (uint32_t i = 0; i < rest; ++i)
      left[i] = uint8_t(i);
    for (uint64_t factor = 0x9e3779b97f4a7c15; rest; factor = factor * 0x5851f42d4c957f2d + 2) {
      for (uint32_t i = 0; i < rest; ++i) {
        places[i] = uint16_t((numbers_[left[i]] >> bits) * factor >> (64 - places_bits));
        names[places[i]] = left[i];
      }
      uint32_t more = 0;
      for (uint32_t i = 0; i < rest; ++i) {
        const uint8_t own = left[i], name = names[places[i]];
        const bool alike = numbers_[name] >> bits == numbers_[own] >> bits;
        different += name == own;
        members[name] = uint8_t(members[name] + alike);
        left[more] = own;
        more += !alike;
      }
      rest = more;
    }
    return {different, *std::max_element(members, members + most)};
  }

  static constexpr uint32_t most = 2 * warp_size; // an access may touch two pieces of memory
  uint64_t numbers_[most];
  uint32_t count_ = 0;
};

uint32_t ceilDiv(uint32_t a, uint32_t b) { return (a + b - 1) / b; }

// How many of the lanes share the most popular address.
uint32_t mostAlike(uint32_t lanes, const uint64_t *addresses) {
  constexpr uint32_t middle = 1u << 30, limit = 1u << 31;
  const uint64_t from = addresses[std::countr_zero(lanes)] - middle;
  uint32_t near[warp_size]; // those of lanes that take no part are different from all others
  uint64_t far = 0;
  for (uint32_t lane = 0; lane < warp_size; ++lane) {
    const uint64_t distance = lanes >> lane & 1 ? addresses[lane] - from : limit + lane;
    far |= lanes >> lane & 1 ? distance / limit : 0;
    near[lane] = uint32_t(distance);
  }
  if (far == 0)
    return requestLoops().most_alike(near);
  Numbers numbers;
  forEachLane(lanes, [&](uint32_t lane) { numbers.add(addresses[lane]); });
  return numbers.mostAlike();
}

bool allAlike(uint32_t lanes, const uint64_t *addresses) {
  const uint64_t first = addresses[std::countr_zero(lanes)];
  bool alike = std::popcount(lanes) > 1;
  forEachLane(lanes, [&](uint32_t lane) { alike &= addresses[lane] == first; });
  return alike;
}

// How many aligned pieces of 2^bits bytes are touched.
uint32_t pieces(uint32_t lanes, const uint64_t *addresses, uint32_t bytes, uint32_t bits) {
  Numbers numbers;
  forEachLane(lanes, [&](uint32_t lane) {
    const uint64_t first = addresses[lane], last = first + bytes - 1;
    numbers.add(first);
    if (last >> bits != first >> bits)
      numbers.add(last);
  });
  return numbers.different(bits);
}

// Threads that do not take part ask for what the one before asks for, which changes nothing.
const uint64_t *withoutGaps(uint32_t lanes, const uint64_t *addresses, uint64_t *room) {
  if (lanes == ~uint32_t(0))
    return addresses;
  uint64_t before = addresses[std::countr_zero(lanes)];
  for (uint32_t lane = 0; lane < warp_size; ++lane)
    room[lane] = before = lanes >> lane & 1 ? addresses[lane] : before;
  return room;
}

// The same as global() for a few threads, whose pairs are soon compared.
constexpr int few = 8;
Request globalOfFew(uint32_t lanes, const uint64_t *addresses, uint32_t bytes) {
  uint64_t all[few], lowest = ~uint64_t(0);
  uint32_t count = 0;
  Request request;
  bool straddling = false;
  forEachLane(lanes, [&](uint32_t lane) {
    const uint64_t address = addresses[lane];
    bool known = false, near = false;
    for (uint32_t i = 0; i < count; ++i) {
      known |= all[i] >> sector_bits == address >> sector_bits;
      near |= all[i] >> line_bits == address >> line_bits;
    }
    all[count++] = address;
    request.units += !known;
    request.lines += !near;
    straddling |= (address + bytes - 1) >> sector_bits != address >> sector_bits;
    lowest = std::min(lowest, address);
  });
  if (straddling) {
    request.units = pieces(lanes, addresses, bytes, sector_bits);
    request.lines = pieces(lanes, addresses, bytes, line_bits);
  }
  request.ideal = std::min(request.units, idealSectors(count, bytes));
  request.unaligned = lowest % (1u << sector_bits) != 0;
  return request;
}

Request global(uint32_t lanes, const uint64_t *addresses, uint32_t bytes) {
  if (std::popcount(lanes) <= few)
    return globalOfFew(lanes, addresses, bytes);
  const RequestLoops &loops = requestLoops();
  uint64_t room[warp_size];
  addresses = withoutGaps(lanes, addresses, room);
  Neighbours seen;
  loops.neighbours(addresses, bytes, seen);
  uint32_t touched[2] = {seen.sectors, seen.lines};
  const uint64_t first = seen.lowest >> line_bits << line_bits;
  if (seen.straddling || (seen.highest - first) >> sector_bits >= ~uint32_t(0)) {
    touched[0] = pieces(lanes, addresses, bytes, sector_bits);
    touched[1] = pieces(lanes, addresses, bytes, line_bits);
  } else if (seen.falls) {
    uint32_t sectors[warp_size];
    for (uint32_t lane = 0; lane < warp_size; ++lane)
      sectors[lane] = uint32_t((addresses[lane] - first) >> sector_bits);
    loops.different(sectors, touched);
  }
  Request request;
  request.units = touched[0];
  request.lines = touched[1];
  request.ideal = std::min(request.units, idealSectors(uint32_t(std::popcount(lanes)), bytes));
  request.unaligned = seen.lowest % (1u << sector_bits) != 0;
  return request;
}

// Threads' own memory is interleaved: a word of all threads of a warp is a line (CUDA guide, "Local
// Memory").
Request local(uint32_t lanes, const uint64_t *offsets, uint32_t bytes) {
  uint64_t addresses[warp_size];
  forEachLane(lanes, [&](uint32_t lane) {
    addresses[lane] = offsets[lane] / bank_bytes * wavefront_bytes + lane * bank_bytes;
  });
  Request request = global(lanes, addresses, bank_bytes);
  const uint32_t words = std::max(1u, bytes / bank_bytes);
  request.units *= words;
  request.lines *= words;
  request.ideal = std::min(request.units, idealSectors(uint32_t(std::popcount(lanes)), bytes));
  request.unaligned = false;
  return request;
}

struct Wavefronts {
  uint32_t needed = 0; // by the most different words of a bank
  uint32_t ideal = 0;  // if the words were spread over all banks
};

// For lanes whose words are looked up together. Atomic operations take turns, also at one word.
Wavefronts wavefronts(uint32_t lanes, const uint64_t *addresses, uint32_t bytes, bool atomic) {
  // A bit for each word of a block's shared memory, of which there are 227 KB at most; all 0
  // between calls. (Of a cluster, the blocks lie one after the other.)
  constexpr uint64_t words = 1 << 16;
  thread_local uint64_t seen[words / 64] = {};
  uint32_t of_bank[banks] = {}, different = 0;
  const uint32_t words_each = std::max(1u, bytes / bank_bytes);
  const auto forEachWord = [&](auto function) {
    forEachLane(lanes, [&](uint32_t lane) {
      for (uint32_t word = 0; word < words_each; ++word)
        function((addresses[lane] / bank_bytes + word) % words);
    });
  };
  forEachWord([&](uint64_t word) {
    uint64_t &some = seen[word / 64];
    const uint64_t with = some | uint64_t(1) << word % 64;
    const auto fresh = uint32_t(with != some);
    some = with;
    different += fresh;
    of_bank[word % banks] += atomic ? 1 : fresh;
  });
  forEachWord([&](uint64_t word) { seen[word / 64] = 0; });
  return {*std::max_element(of_bank, of_bank + banks), ceilDiv(different, banks)};
}

// Accesses of 8 and 16 bytes go by halves of the warp; within one, what several threads read is
// read once (measured: tests/hardware).
Request shared(uint32_t lanes, const uint64_t *addresses, uint32_t bytes, bool atomic) {
  Request request;
  if (bytes <= bank_bytes && std::popcount(requestLoops().bank_mask(lanes, addresses)) ==
                                 std::popcount(lanes)) { // a bank for each thread
    request.units = request.lines = request.ideal = 1;
    return request;
  }
  if (bytes <= bank_bytes && atomic) { // threads of a bank take turns
    uint8_t uses[banks] = {};
    forEachLane(lanes, [&](uint32_t lane) {
      request.units =
          std::max<uint32_t>(request.units, ++uses[addresses[lane] / bank_bytes % banks]);
    });
    request.lines = request.units;
    request.ideal = 1;
    return request;
  }
  if (bytes <= bank_bytes) {
    uint64_t room[warp_size];
    addresses = withoutGaps(lanes, addresses, room);
    uint16_t words[warp_size];
    for (uint32_t lane = 0; lane < warp_size; ++lane)
      words[lane] = uint16_t(addresses[lane] / bank_bytes);
    uint32_t used[2];
    requestLoops().banks(words, used);
    request.units = request.lines = used[1];
    request.ideal = ceilDiv(used[0], banks);
    return request;
  }
  constexpr uint32_t half = warp_size / 2;
  for (uint32_t first = 0; first < warp_size; first += half) {
    const uint32_t group = lanes & ((1u << half) - 1) << first;
    if (!group)
      continue;
    const Wavefronts taken = wavefronts(group, addresses, bytes, atomic);
    request.units += taken.needed;
    request.ideal += taken.ideal;
  }
  request.lines = request.units;
  return request;
}

Request constant(uint32_t lanes, const uint64_t *addresses) {
  Numbers words;
  forEachLane(lanes, [&](uint32_t lane) { words.add(addresses[lane] / bank_bytes); });
  Request request;
  request.units = words.different(0);
  request.ideal = 1;
  request.lines = 1;
  return request;
}

} // namespace

uint32_t idealSectors(uint32_t threads, uint32_t bytes) {
  return std::max(1u, ceilDiv(threads * bytes, 1u << sector_bits));
}

Request requestOf(AccessSpace space, uint32_t lanes, const uint64_t *addresses, uint32_t bytes,
                  bool atomic) {
  Request request;
  switch (space) {
  case AccessSpace::Shared:
    request = shared(lanes, addresses, bytes, atomic);
    break;
  case AccessSpace::Local:
    return local(lanes, addresses, bytes);
  case AccessSpace::Constant:
    request = constant(lanes, addresses);
    break;
  default:
    request = global(lanes, addresses, bytes);
  }
  request.broadcast = allAlike(lanes, addresses);
  if (atomic)
    request.same = mostAlike(lanes, addresses);
  return request;
}

} // namespace heddle::engine::observe

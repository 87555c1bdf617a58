// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/observe/request.h"

#include "engine/warp.h"

#include <algorithm>
#include <bit>
#include <numeric>

namespace heddle::engine::observe {
namespace {

constexpr uint32_t sector_bits = 5, line_bits = 7;
constexpr uint32_t banks = 32, bank_bytes = 4;
constexpr uint32_t wavefront_bytes = banks * bank_bytes;

// Numbers without repetition. Most come in ascending order.
class Distinct {
public:
  /// Where the number is.
  uint32_t add(uint64_t number) {
    if (count_ == 0 || number > highest_) {
      highest_ = number;
      numbers_[count_] = number;
      return count_++;
    }
    for (uint32_t i = count_; i-- > 0;)
      if (numbers_[i] == number)
        return i;
    numbers_[count_] = number;
    return count_++;
  }
  uint32_t count() const { return count_; }
  uint64_t at(uint32_t i) const { return numbers_[i]; }

private:
  uint64_t numbers_[4 * warp_size]; // each thread adds four at most
  uint64_t highest_ = 0;
  uint32_t count_ = 0;
};

uint32_t ceilDiv(uint32_t a, uint32_t b) { return (a + b - 1) / b; }

// How many of the lanes share the most popular address.
uint32_t mostAlike(uint32_t lanes, const uint64_t *addresses) {
  Distinct distinct;
  uint32_t of[warp_size] = {}, most = 0;
  forEachLane(lanes,
              [&](uint32_t lane) { most = std::max(most, ++of[distinct.add(addresses[lane])]); });
  return most;
}

bool allAlike(uint32_t lanes, const uint64_t *addresses) {
  const uint64_t first = addresses[std::countr_zero(lanes)];
  bool alike = std::popcount(lanes) > 1;
  forEachLane(lanes, [&](uint32_t lane) { alike &= addresses[lane] == first; });
  return alike;
}

uint32_t idealSectors(uint32_t threads, uint32_t bytes) {
  return std::max(1u, ceilDiv(threads * bytes, 1u << sector_bits));
}

Request global(uint32_t lanes, const uint64_t *addresses, uint32_t bytes) {
  Distinct sectors, lines;
  uint64_t lowest = ~uint64_t(0);
  forEachLane(lanes, [&](uint32_t lane) {
    const uint64_t address = addresses[lane], last = address + bytes - 1;
    sectors.add(address >> sector_bits);
    lines.add(address >> line_bits);
    if (last >> sector_bits != address >> sector_bits)
      sectors.add(last >> sector_bits);
    if (last >> line_bits != address >> line_bits)
      lines.add(last >> line_bits);
    lowest = std::min(lowest, address);
  });
  Request request;
  request.units = sectors.count();
  request.ideal = std::min(request.units, idealSectors(uint32_t(std::popcount(lanes)), bytes));
  request.lines = lines.count();
  request.unaligned = lowest % (1u << sector_bits) != 0;
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

// For lanes whose words are looked up together.
Wavefronts wavefronts(uint32_t lanes, const uint64_t *addresses, uint32_t bytes, bool atomic) {
  Distinct words;
  uint32_t of_word[banks * 4] = {}, of_bank[banks] = {};
  const uint32_t words_each = std::max(1u, bytes / bank_bytes);
  forEachLane(lanes, [&](uint32_t lane) {
    for (uint32_t word = 0; word < words_each; ++word)
      ++of_word[words.add(addresses[lane] / bank_bytes + word)];
  });
  for (uint32_t i = 0; i < words.count(); ++i)
    of_bank[words.at(i) % banks] += atomic ? of_word[i] : 1;
  return {*std::max_element(of_bank, of_bank + banks), ceilDiv(words.count(), banks)};
}

// Accesses of 8 and 16 bytes go by halves of the warp; within one, what several threads read is
// read once (measured: tests/hardware).
Request shared(uint32_t lanes, const uint64_t *addresses, uint32_t bytes, bool atomic) {
  Request request;
  constexpr uint32_t half = warp_size / 2;
  const uint32_t together = bytes <= bank_bytes ? warp_size : half;
  for (uint32_t first = 0; first < warp_size; first += together) {
    const uint32_t group = lanes & uint32_t(((uint64_t(1) << together) - 1) << first);
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
  Distinct words;
  forEachLane(lanes, [&](uint32_t lane) { words.add(addresses[lane] / bank_bytes); });
  Request request;
  request.units = words.count();
  request.ideal = 1;
  request.lines = 1;
  return request;
}

// How many of the lanes take part if these are neighbours; else 0.
uint32_t neighbours(uint32_t lanes) {
  const uint32_t run = lanes >> std::countr_zero(lanes);
  return (run & (run + 1)) == 0 ? uint32_t(std::popcount(lanes)) : 0;
}

} // namespace

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

bool stridedRequest(AccessSpace space, uint32_t lanes, uint64_t first, int64_t stride,
                    uint32_t bytes, bool atomic, Request &request) {
  const uint32_t threads = neighbours(lanes);
  if (!threads || (space != AccessSpace::Global && space != AccessSpace::Shared))
    return false;
  const uint64_t step = uint64_t(stride < 0 ? -stride : stride);
  if (atomic && step < bytes && step != 0)
    return false;
  const uint32_t lowest_lane = uint32_t(std::countr_zero(lanes)) + (stride < 0 ? threads - 1 : 0);
  const uint64_t lowest = first + lowest_lane * uint64_t(stride);
  const uint64_t last = lowest + (threads - 1) * step + bytes - 1;
  request.broadcast = step == 0 && threads > 1;
  request.same = atomic && step == 0 ? threads : 1;
  if (space == AccessSpace::Global) {
    const auto within = [&](uint32_t bits) {
      return step <= uint64_t(1) << bits ? uint32_t((last >> bits) - (lowest >> bits)) + 1
                                         : threads;
    };
    request.units = within(sector_bits);
    request.lines = within(line_bits);
    request.ideal = std::min(request.units, idealSectors(threads, bytes));
    request.unaligned = lowest % (1u << sector_bits) != 0;
    return true;
  }
  if (bytes > bank_bytes || step % bank_bytes != 0)
    return false;
  const uint32_t words = uint32_t(step / bank_bytes % banks);
  if (step == 0)
    request.units = atomic ? threads : 1;
  else
    request.units = ceilDiv(threads, banks / std::gcd(words, banks));
  request.ideal = 1;
  request.lines = request.units;
  return true;
}

} // namespace heddle::engine::observe

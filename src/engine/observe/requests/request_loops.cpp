// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/observe/requests/request_loops.h"

#include "engine/warp.h"

namespace heddle::engine::observe {
namespace {

#define HEDDLE_LOOP [[gnu::always_inline]] inline

HEDDLE_LOOP void neighbours(const uint64_t *addresses, uint32_t bytes, Neighbours &result) {
  result = {0, 0, 1, 1, addresses[0], addresses[0]};
  for (uint32_t i = 1; i < warp_size; ++i) {
    result.falls += addresses[i] < addresses[i - 1];
    result.sectors += addresses[i] >> sector_bits != addresses[i - 1] >> sector_bits;
    result.lines += addresses[i] >> line_bits != addresses[i - 1] >> line_bits;
  }
  for (uint32_t i = 0; i < warp_size; ++i) {
    result.straddling += (addresses[i] + bytes - 1) >> sector_bits != addresses[i] >> sector_bits;
    result.lowest = addresses[i] < result.lowest ? addresses[i] : result.lowest;
    result.highest = addresses[i] > result.highest ? addresses[i] : result.highest;
  }
}

// Numbers behind as many that are like none of them, so that each has 31 before it.
template <class Number> struct Preceded {
  alignas(64) Number all[2 * warp_size];
  HEDDLE_LOOP explicit Preceded(const Number *numbers, Number other) {
    for (uint32_t i = 0; i < warp_size; ++i) {
      all[i] = other;
      all[warp_size + i] = numbers[i];
    }
  }
  /// Of the i-th number, the one `distance` before it.
  HEDDLE_LOOP Number before(uint32_t i, uint32_t distance) const {
    return all[warp_size + i - distance];
  }
};

HEDDLE_LOOP void different(const uint32_t *numbers, uint32_t *result) {
  const Preceded<uint32_t> list(numbers, ~uint32_t(0));
  uint32_t known[warp_size] = {}, near[warp_size] = {};
  for (uint32_t distance = 1; distance < warp_size; ++distance)
    for (uint32_t i = 0; i < warp_size; ++i) {
      const uint32_t bits = numbers[i] ^ list.before(i, distance);
      known[i] |= bits == 0 ? 1 : 0;
      near[i] |= bits < 4 ? 1 : 0;
    }
  uint32_t all_known = 0, all_near = 0;
  for (uint32_t i = 0; i < warp_size; ++i) {
    all_known += known[i];
    all_near += near[i];
  }
  result[0] = warp_size - all_known;
  result[1] = warp_size - all_near;
}

HEDDLE_LOOP uint32_t mostAlike(const uint32_t *numbers) {
  const Preceded<uint32_t> list(numbers, ~uint32_t(0));
  uint32_t alike[warp_size] = {};
  for (uint32_t distance = 0; distance < warp_size; ++distance)
    for (uint32_t i = 0; i < warp_size; ++i)
      alike[i] += numbers[i] == list.before(i, distance);
  uint32_t most = 0;
  for (uint32_t i = 0; i < warp_size; ++i)
    most = alike[i] > most ? alike[i] : most;
  return most;
}

HEDDLE_LOOP uint32_t bankMask(uint32_t lanes, const uint64_t *addresses) {
  constexpr uint32_t word_bits = 2, last_bank = 31;
  uint32_t mask = 0;
  for (uint32_t lane = 0; lane < warp_size; ++lane)
    mask |= (lanes >> lane & 1) << (uint32_t(addresses[lane]) >> word_bits & last_bank);
  return mask;
}

HEDDLE_LOOP void banks(const uint16_t *words, uint32_t *result) {
  uint16_t known[warp_size] = {};
  uint16_t before[2 * warp_size];
  for (uint32_t i = 0; i < warp_size; ++i) {
    before[i] = uint16_t(~words[0]); // the first word is always a new one
    before[warp_size + i] = words[i];
  }
  for (uint32_t distance = 1; distance < warp_size; ++distance)
    for (uint32_t i = 0; i < warp_size; ++i) {
      const uint16_t alike = words[i] == before[warp_size + i - distance] ? 1 : 0;
      known[i] |= i >= distance ? alike : uint16_t(0);
    }
  constexpr uint8_t bank_count = 32, none = 255;
  uint8_t bank[warp_size], uses[warp_size] = {};
  for (uint32_t i = 0; i < warp_size; ++i)
    bank[i] = known[i] ? none : uint8_t(words[i] % bank_count);
  const Preceded<uint8_t> list(bank, none - 1);
  for (uint32_t distance = 0; distance < warp_size; ++distance)
    for (uint32_t i = 0; i < warp_size; ++i)
      uses[i] = uint8_t(uses[i] + (bank[i] == list.before(i, distance) ? 1 : 0));
  uint32_t all_known = 0, most = 0;
  for (uint32_t i = 0; i < warp_size; ++i) {
    all_known += known[i];
    const uint32_t here = known[i] ? 0 : uses[i];
    most = here > most ? here : most;
  }
  result[0] = warp_size - all_known;
  result[1] = most;
}

// The loops, compiled for a generation of CPUs.
#define HEDDLE_REQUEST_LOOPS(generation, attributes)                                               \
  attributes void neighbours##generation(const uint64_t *addresses, uint32_t bytes,                \
                                         Neighbours &result) {                                     \
    neighbours(addresses, bytes, result);                                                          \
  }                                                                                                \
  attributes void different##generation(const uint32_t *numbers, uint32_t *result) {               \
    different(numbers, result);                                                                    \
  }                                                                                                \
  attributes uint32_t mostAlike##generation(const uint32_t *numbers) {                             \
    return mostAlike(numbers);                                                                     \
  }                                                                                                \
  attributes uint32_t bankMask##generation(uint32_t lanes, const uint64_t *addresses) {            \
    return bankMask(lanes, addresses);                                                             \
  }                                                                                                \
  attributes void banks##generation(const uint16_t *words, uint32_t *result) {                     \
    banks(words, result);                                                                          \
  }                                                                                                \
  constexpr RequestLoops loops##generation = {neighbours##generation, different##generation,       \
                                              mostAlike##generation, bankMask##generation,         \
                                              banks##generation};

HEDDLE_REQUEST_LOOPS(Anywhere, )
#if defined(__x86_64__)
HEDDLE_REQUEST_LOOPS(Avx2, [[gnu::target("avx2")]])
HEDDLE_REQUEST_LOOPS(Avx512, [[gnu::target("avx512f,avx512vl,avx512bw,avx512dq")]])
#endif

const RequestLoops &forThisCpu() {
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
      __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq"))
    return loopsAvx512;
  if (__builtin_cpu_supports("avx2"))
    return loopsAvx2;
#endif
  return loopsAnywhere;
}

} // namespace

const RequestLoops &requestLoops() {
  static const RequestLoops &loops = forThisCpu();
  return loops;
}

} // namespace heddle::engine::observe

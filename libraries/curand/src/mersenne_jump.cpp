// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mersenne_jump.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace heddle::curand {
namespace {

constexpr int Words = MersenneDegree / 64 + 1;

/// Coefficients in GF(2), the constant first.
using Polynomial = std::array<uint64_t, Words + 1>;

bool bit(const Polynomial &p, int i) { return p[i / 64] >> (i % 64) & 1; }

/// One bit of each of MT19937's words, which as a sequence has the generator's recurrence.
std::vector<bool> lowestBits(size_t count) {
  std::vector<uint32_t> x(MersenneWords);
  x[0] = 5489;
  for (int i = 1; i < MersenneWords; ++i)
    x[i] = 1812433253u * (x[i - 1] ^ (x[i - 1] >> 30)) + i;
  std::vector<bool> bits;
  for (size_t k = 0; k < count; ++k) {
    const uint32_t y = (x[k] & 0x80000000u) | (x[k + 1] & 0x7fffffffu);
    x.push_back(x[k + 397] ^ (y >> 1) ^ (y & 1 ? 0x9908b0dfu : 0));
    bits.push_back(x.back() & 1);
  }
  return bits;
}

void addShifted(Polynomial &to, const Polynomial &p, int shift) {
  const int words = shift / 64, bits = shift % 64;
  for (int i = Words; i >= words; --i) {
    to[i] ^= p[i - words] << bits;
    if (bits != 0 && i > words)
      to[i] ^= p[i - words - 1] >> (64 - bits);
  }
}

bool odd(const Polynomial &a, const Polynomial &b) {
  uint64_t sum = 0;
  for (int i = 0; i <= Words; ++i)
    sum ^= a[i] & b[i];
  return __builtin_parityll(sum);
}

/// The terms of the characteristic polynomial below the highest one, found by Berlekamp and
/// Massey's algorithm.
std::vector<int> characteristic() {
  Polynomial connection{1}, before{1}, recent{};
  int length = 0, since = 1;
  const std::vector<bool> bits = lowestBits(2 * MersenneDegree + 64);
  for (int n = 0; n < int(bits.size()); ++n) {
    for (int i = Words; i > 0; --i) // bit i of `recent` is the bit i steps ago
      recent[i] = recent[i] << 1 | recent[i - 1] >> 63;
    recent[0] = recent[0] << 1 | uint64_t(bits[n]);
    if (!odd(connection, recent)) {
      ++since;
      continue;
    }
    const Polynomial kept = connection;
    addShifted(connection, before, since);
    ++since;
    if (2 * length <= n) {
      length = n + 1 - length;
      before = kept;
      since = 1;
    }
  }
  std::vector<int> terms; // x^length times the connection polynomial of 1 / x
  for (int i = 1; i <= length; ++i)
    if (bit(connection, i))
      terms.push_back(length - i);
  return terms;
}

/// p² modulo the characteristic polynomial, whose other terms are more than 64 below its highest.
void square(Polynomial &p, const std::vector<int> &terms) {
  std::array<uint64_t, 2 * Words + 2> wide{};
  const auto spread = [](uint64_t x) {
    x = (x | x << 16) & 0x0000ffff0000ffffULL;
    x = (x | x << 8) & 0x00ff00ff00ff00ffULL;
    x = (x | x << 4) & 0x0f0f0f0f0f0f0f0fULL;
    x = (x | x << 2) & 0x3333333333333333ULL;
    return (x | x << 1) & 0x5555555555555555ULL;
  };
  for (int i = 0; i < Words; ++i) {
    wide[2 * i] = spread(p[i] & 0xffffffffu);
    wide[2 * i + 1] = spread(p[i] >> 32);
  }
  constexpr int Top = MersenneDegree / 64, Above = MersenneDegree % 64;
  for (int i = 2 * Words; i >= Top; --i) {
    // The bits of this word that are x^19937 and more.
    const uint64_t high = i == Top ? wide[i] >> Above << Above : wide[i];
    wide[i] ^= high;
    if (high == 0)
      continue;
    for (const int term : terms) {
      const int at = i * 64 - MersenneDegree + term; // where the word's first bit goes
      if (at < 0) {
        wide[0] ^= high >> -at;
        continue;
      }
      wide[at / 64] ^= high << (at % 64);
      if (at % 64 != 0)
        wide[at / 64 + 1] ^= high >> (64 - at % 64);
    }
  }
  std::copy_n(wide.begin(), Words, p.begin());
}

using Jumps = std::array<std::vector<unsigned>, 13>;

Jumps makeJumps() {
  const std::vector<int> terms = characteristic();
  Polynomial p{2}; // x, one step
  Jumps jumps;
  for (int power = 1; power <= 2060; ++power) {
    square(p, terms);
    for (int i = 0; power >= 2048 && i < MersenneDegree; ++i)
      if (bit(p, i))
        jumps[power - 2048].push_back(i);
  }
  return jumps;
}

} // namespace

const std::vector<unsigned> &mersenneJump(int i) {
  static const Jumps &jumps = *new Jumps(makeJumps());
  return jumps[i];
}

} // namespace heddle::curand

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mersenne_jump.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <thread>

namespace heddle::curand {
namespace {

constexpr int MersenneDegree = 19937; // bits of a state
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

/// For a jump of 2^(2048 + i) steps: the steps, in ascending order, after which the states are that
/// are to be summed.
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

const std::vector<unsigned> &jumpOf(int i) {
  static const Jumps &jumps = *new Jumps(makeJumps());
  return jumps[i];
}

using State = std::array<uint32_t, MersenneWords>;

#if defined(__x86_64__)
#define WIDE __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define WIDE
#endif

using Vector [[gnu::vector_size(64), gnu::aligned(4), gnu::may_alias]] = uint32_t;

/// The sum of the states at some steps of a row of words, three vectors of them at a time.
WIDE void sum(const uint32_t *row, const unsigned *steps, size_t count, uint32_t *to) {
  constexpr int Block = 48;
  static_assert(MersenneWords % Block == 0);
  for (int begin = 0; begin < MersenneWords; begin += Block) {
    Vector a{}, b{}, c{};
    for (size_t i = 0; i < count; ++i) {
      const auto *const from = reinterpret_cast<const Vector *>(row + steps[i] + begin);
      a ^= from[0];
      b ^= from[1];
      c ^= from[2];
    }
    std::memcpy(to + begin, &a, sizeof(a));
    std::memcpy(to + begin + 16, &b, sizeof(b));
    std::memcpy(to + begin + 32, &c, sizeof(c));
  }
}

void jump(const State &from, const std::vector<unsigned> &steps, State &to) {
  std::vector<uint32_t> row(from.begin(), from.end());
  row.resize(MersenneDegree + MersenneWords);
  for (size_t k = 0; k < MersenneDegree; ++k) {
    const uint32_t y = (row[k] & 0x80000000u) | (row[k + 1] & 0x7fffffffu);
    row[k + MersenneWords] = row[k + 397] ^ (y >> 1) ^ (y & 1 ? 0x9908b0dfu : 0);
  }
  sum(row.data(), steps.data(), steps.size(), to.data());
}

} // namespace

std::vector<unsigned> mersenneStates(unsigned seed) {
  std::vector<State> states(MersenneGenerators);
  states[0][0] = seed;
  for (unsigned i = 1; i < MersenneWords; ++i)
    states[0][i] = 1812433253u * (states[0][i - 1] ^ (states[0][i - 1] >> 30)) + i;
  const unsigned threads = std::max(1u, std::thread::hardware_concurrency());
  for (int i = 0; (1u << i) < MersenneGenerators; ++i) {
    const std::vector<unsigned> &steps = jumpOf(i);
    const auto share = [&, half = 1u << i](unsigned first) {
      for (unsigned g = first; g < half; g += threads)
        jump(states[g], steps, states[half + g]);
    };
    std::vector<std::thread> others;
    for (unsigned t = 1; t < threads && t < (1u << i); ++t)
      others.emplace_back(share, t);
    share(0);
    for (std::thread &other : others)
      other.join();
  }
  std::vector<unsigned> words(size_t(MersenneWords) * MersenneGenerators);
  for (unsigned g = 0; g < MersenneGenerators; ++g)
    for (unsigned w = 0; w < MersenneWords; ++w)
      words[size_t(w) * MersenneGenerators + g] = states[g][w];
  return words;
}

} // namespace heddle::curand

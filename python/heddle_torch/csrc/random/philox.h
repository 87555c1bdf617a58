// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Philox4x32-10 (Salmon, Moraes, Dror, Shaw: "Parallel random numbers: as easy as 1, 2, 3", SC
// 2011) and cuRAND's device functions on it: a state is a seed, a subsequence (a GPU thread) and an
// offset.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>

namespace heddle::aten {

using Words = std::array<uint32_t, 4>;

/// The four numbers from `Offset` on, which must divide by four.
inline Words philox(uint64_t Seed, uint64_t Subsequence, uint64_t Offset) {
  const uint64_t Block = Offset / 4;
  Words C{uint32_t(Block), uint32_t(Block >> 32), uint32_t(Subsequence),
          uint32_t(Subsequence >> 32)};
  uint32_t K0 = uint32_t(Seed), K1 = uint32_t(Seed >> 32);
  for (int Round = 0; Round < 10; ++Round) {
    const uint64_t P0 = uint64_t(0xD2511F53u) * C[0], P1 = uint64_t(0xCD9E8D57u) * C[2];
    C = {uint32_t(P1 >> 32) ^ C[1] ^ K0, uint32_t(P1), uint32_t(P0 >> 32) ^ C[3] ^ K1,
         uint32_t(P0)};
    K0 += 0x9E3779B9u;
    K1 += 0xBB67AE85u;
  }
  return C;
}

/// curand_uniform: in (0, 1].
inline float uniformFloat(uint32_t X) { return std::fma(float(X), 0x1p-32f, 0x1p-33f); }

/// curand_uniform_double of two words.
inline double uniformDouble(uint32_t X, uint32_t Y) {
  return double(uint64_t(X) ^ (uint64_t(Y) << 21)) * 0x1p-53 + 0x1p-54;
}

/// curand_normal4. The GPU takes its fast sine and logarithm: its last bits differ.
inline std::array<float, 4> normalFloats(const Words &W) {
  std::array<float, 4> Out;
  for (int I = 0; I < 4; I += 2) {
    const float U = uniformFloat(W[I]);
    const float V = std::fma(float(W[I + 1]), 0x1p-32f * 6.2831855f, 0x1p-33f * 6.2831855f);
    const float S = std::sqrt(-2.0f * std::log(U));
    Out[I] = S * std::sin(V);
    Out[I + 1] = S * std::cos(V);
  }
  return Out;
}

/// curand_normal2_double.
inline std::array<double, 2> normalDoubles(const Words &W) {
  const double U = uniformDouble(W[0], W[1]);
  const double V = double(uint64_t(W[2]) ^ (uint64_t(W[3]) << 21)) * 0x1p-52 + 0x1p-53;
  const double S = std::sqrt(-2.0 * std::log(U));
  return {S * std::sin(V * M_PI), S * std::cos(V * M_PI)};
}

/// A GPU thread's state (curandStatePhilox4_32_10_t): it takes one word after another.
class PhiloxThread {
public:
  /// `Offset` must divide by four.
  PhiloxThread(uint64_t Seed, uint64_t Subsequence, uint64_t Offset)
      : Seed(Seed), Subsequence(Subsequence), Next(Offset) {}

  uint32_t word() {
    if (Next % 4 == 0)
      Four = philox(Seed, Subsequence, Next);
    return Four[Next++ % 4];
  }
  float uniform() { return uniformFloat(word()); }
  /// Numbers are made in pairs; the second is kept for the next call.
  float normal() {
    if (HasKept) {
      HasKept = false;
      return Kept;
    }
    const uint32_t X = word(), Y = word();
    const auto Pair = normalFloats({X, Y, X, Y});
    Kept = Pair[1];
    HasKept = true;
    return Pair[0];
  }
  /// The first of a pair of fresh numbers.
  double normalDouble() {
    Words W;
    for (uint32_t &X : W)
      X = word();
    return normalDoubles(W)[0];
  }

private:
  const uint64_t Seed, Subsequence;
  uint64_t Next;
  Words Four{};
  float Kept = 0;
  bool HasKept = false;
};

} // namespace heddle::aten

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What lets XORWOW and MRG32k3a jump. The tables are computed when a program is compiled.
//
// XORWOW's five words are a linear recurrence over GF(2) of order 160. To go on by n steps is to
// apply the polynomial x^n mod P to the state, P being the characteristic polynomial: n's bits
// choose among the polynomials x^(2^i). MRG32k3a's two halves are 3×3 matrices modulo m1 and m2,
// whose powers of two are kept.
#ifndef CURAND_PRECALC_H_
#define CURAND_PRECALC_H_

namespace __curand_tables {

constexpr unsigned long long MrgModulus[2] = {4294967087ULL, 4294944443ULL};

struct XorwowPolynomial {
  unsigned Words[5];
};
struct XorwowTable {
  XorwowPolynomial Powers[64];
};
struct MrgMatrix {
  unsigned Rows[3][3];
};
struct MrgTable {
  MrgMatrix Powers[64];
};

// The coefficients below x^160 of XORWOW's characteristic polynomial.
constexpr XorwowPolynomial XorwowModulus = {
    {0x00060001u, 0x08610030u, 0x00062121u, 0x0f3c0035u, 0x00000f0eu}};

constexpr unsigned long long spread(unsigned long long X) {
  X = (X | X << 16) & 0x0000ffff0000ffffULL;
  X = (X | X << 8) & 0x00ff00ff00ff00ffULL;
  X = (X | X << 4) & 0x0f0f0f0f0f0f0f0fULL;
  X = (X | X << 2) & 0x3333333333333333ULL;
  return (X | X << 1) & 0x5555555555555555ULL;
}

constexpr XorwowPolynomial squared(const XorwowPolynomial &P) {
  unsigned Wide[10] = {};
  for (int I = 0; I < 5; ++I) {
    const unsigned long long Two = spread(P.Words[I]);
    Wide[2 * I] = (unsigned)Two;
    Wide[2 * I + 1] = (unsigned)(Two >> 32);
  }
  for (int Bit = 318; Bit >= 160; --Bit) {
    if (!(Wide[Bit / 32] >> (Bit % 32) & 1))
      continue;
    const int Word = (Bit - 160) / 32, Shift = (Bit - 160) % 32;
    for (int I = 0; I < 5; ++I) {
      const unsigned long long Part = (unsigned long long)XorwowModulus.Words[I] << Shift;
      Wide[Word + I] ^= (unsigned)Part;
      if (Word + I + 1 < 10)
        Wide[Word + I + 1] ^= (unsigned)(Part >> 32);
    }
  }
  return {{Wide[0], Wide[1], Wide[2], Wide[3], Wide[4]}};
}

// x^(2^(First + i)) for i = 0…63.
constexpr XorwowTable xorwowTable(int First) {
  XorwowTable Table = {};
  XorwowPolynomial P = {{2, 0, 0, 0, 0}};
  for (int I = 0; I < First + 64; ++I) {
    if (I >= First)
      Table.Powers[I - First] = P;
    P = squared(P);
  }
  return Table;
}

constexpr MrgMatrix product(const MrgMatrix &A, const MrgMatrix &B, unsigned long long Modulus) {
  MrgMatrix C = {};
  for (int I = 0; I < 3; ++I)
    for (int J = 0; J < 3; ++J) {
      unsigned long long Sum = 0;
      for (int K = 0; K < 3; ++K)
        Sum = (Sum + (unsigned long long)A.Rows[I][K] * B.Rows[K][J] % Modulus) % Modulus;
      C.Rows[I][J] = (unsigned)Sum;
    }
  return C;
}

// The step's matrix to the power 2^(First + i).
constexpr MrgTable mrgTable(int Half, int First) {
  const unsigned long long Modulus = MrgModulus[Half];
  MrgMatrix M = Half
                    ? MrgMatrix{{{0, 1, 0}, {0, 0, 1}, {(unsigned)(Modulus - 1370589), 0, 527612}}}
                    : MrgMatrix{{{0, 1, 0}, {0, 0, 1}, {(unsigned)(Modulus - 810728), 1403580, 0}}};
  MrgTable Table = {};
  for (int I = 0; I < First + 64; ++I) {
    if (I >= First)
      Table.Powers[I - First] = M;
    M = product(M, M, Modulus);
  }
  return Table;
}

} // namespace __curand_tables

#if defined(__CUDACC__)
// Steps, and subsequences of 2^67 steps.
static __device__ const __curand_tables::XorwowTable __curand_xorwow_steps =
    __curand_tables::xorwowTable(0);
static __device__ const __curand_tables::XorwowTable __curand_xorwow_sequences =
    __curand_tables::xorwowTable(67);
// Steps, subsequences of 2^76 steps, sequences of 2^127.
static __device__ const __curand_tables::MrgTable __curand_mrg_steps[2] = {
    __curand_tables::mrgTable(0, 0), __curand_tables::mrgTable(1, 0)};
static __device__ const __curand_tables::MrgTable __curand_mrg_subsequences[2] = {
    __curand_tables::mrgTable(0, 76), __curand_tables::mrgTable(1, 76)};
static __device__ const __curand_tables::MrgTable __curand_mrg_sequences[2] = {
    __curand_tables::mrgTable(0, 127), __curand_tables::mrgTable(1, 127)};
#endif
#endif

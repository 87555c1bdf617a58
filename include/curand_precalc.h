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

// All of this is C++11's constexpr: expressions, and templates that keep what has been computed.
template <int... I> struct Indices {};
template <int N, int... I> struct IndicesBelow : IndicesBelow<N - 1, N - 1, I...> {};
template <int... I> struct IndicesBelow<0, I...> {
  typedef Indices<I...> Type;
};

constexpr unsigned long long spreadStep(unsigned long long X, int Shift, unsigned long long Mask) {
  return (X | X << Shift) & Mask;
}

// A zero between any two bits.
constexpr unsigned long long spread(unsigned long long X) {
  return spreadStep(spreadStep(spreadStep(spreadStep(spreadStep(X, 16, 0x0000ffff0000ffffULL), 8,
                                                     0x00ff00ff00ff00ffULL),
                                          4, 0x0f0f0f0f0f0f0f0fULL),
                               2, 0x3333333333333333ULL),
                    1, 0x5555555555555555ULL);
}

struct XorwowProduct {
  unsigned Words[10];
};

constexpr unsigned squareWord(const XorwowPolynomial &P, int I) {
  return (unsigned)(spread(P.Words[I / 2]) >> (32 * (I % 2)));
}

// Word I of the modulus after it has been shifted by less than a word.
constexpr unsigned shiftedModulus(int I, int Shift) {
  return (I >= 0 && I < 5 ? XorwowModulus.Words[I] << Shift : 0) |
         (Shift && I >= 1 && I < 6 ? XorwowModulus.Words[I - 1] >> (32 - Shift) : 0);
}

template <int... I>
constexpr XorwowProduct lessModulus(const XorwowProduct &P, int By, Indices<I...>) {
  return {{(P.Words[I] ^ shiftedModulus(I - By / 32, By % 32))...}};
}

constexpr XorwowProduct reduced(const XorwowProduct &P, int Bit) {
  return Bit < 160 ? P
         : P.Words[Bit / 32] >> (Bit % 32) & 1
             ? reduced(lessModulus(P, Bit - 160, IndicesBelow<10>::Type()), Bit - 1)
             : reduced(P, Bit - 1);
}

constexpr XorwowPolynomial lowHalf(const XorwowProduct &P) {
  return {{P.Words[0], P.Words[1], P.Words[2], P.Words[3], P.Words[4]}};
}

template <int... I> constexpr XorwowPolynomial squared(const XorwowPolynomial &P, Indices<I...>) {
  return lowHalf(reduced(XorwowProduct{{squareWord(P, I)...}}, 318));
}

// x^(2^I)
template <int I> struct XorwowPower {
  static constexpr XorwowPolynomial Value =
      squared(XorwowPower<I - 1>::Value, IndicesBelow<10>::Type());
};
template <> struct XorwowPower<0> {
  static constexpr XorwowPolynomial Value = {{2, 0, 0, 0, 0}};
};

// x^(2^(First + i)) for i = 0…63.
template <int First, int... I> constexpr XorwowTable xorwowPowers(Indices<I...>) {
  return {{XorwowPower<First + I>::Value...}};
}
template <int First> constexpr XorwowTable xorwowTable() {
  return xorwowPowers<First>(IndicesBelow<64>::Type());
}

constexpr unsigned long long term(unsigned A, unsigned B, unsigned long long Modulus) {
  return (unsigned long long)A * B % Modulus;
}

constexpr unsigned entry(const MrgMatrix &A, int I, int J, unsigned long long Modulus) {
  return (unsigned)((term(A.Rows[I][0], A.Rows[0][J], Modulus) +
                     term(A.Rows[I][1], A.Rows[1][J], Modulus) +
                     term(A.Rows[I][2], A.Rows[2][J], Modulus)) %
                    Modulus);
}

constexpr MrgMatrix squared(const MrgMatrix &A, unsigned long long M) {
  return {{{entry(A, 0, 0, M), entry(A, 0, 1, M), entry(A, 0, 2, M)},
           {entry(A, 1, 0, M), entry(A, 1, 1, M), entry(A, 1, 2, M)},
           {entry(A, 2, 0, M), entry(A, 2, 1, M), entry(A, 2, 2, M)}}};
}

// The step's matrix to the power 2^I.
template <int Half, int I> struct MrgPower {
  static constexpr MrgMatrix Value = squared(MrgPower<Half, I - 1>::Value, MrgModulus[Half]);
};
template <> struct MrgPower<0, 0> {
  static constexpr MrgMatrix Value = {
      {{0, 1, 0}, {0, 0, 1}, {(unsigned)(MrgModulus[0] - 810728), 1403580, 0}}};
};
template <> struct MrgPower<1, 0> {
  static constexpr MrgMatrix Value = {
      {{0, 1, 0}, {0, 0, 1}, {(unsigned)(MrgModulus[1] - 1370589), 0, 527612}}};
};

// The same to the power 2^(First + i).
template <int Half, int First, int... I> constexpr MrgTable mrgPowers(Indices<I...>) {
  return {{MrgPower<Half, First + I>::Value...}};
}
template <int Half, int First> constexpr MrgTable mrgTable() {
  return mrgPowers<Half, First>(IndicesBelow<64>::Type());
}

} // namespace __curand_tables

#if defined(__CUDACC__)
// Steps, and subsequences of 2^67 steps.
static __device__ const __curand_tables::XorwowTable __curand_xorwow_steps =
    __curand_tables::xorwowTable<0>();
static __device__ const __curand_tables::XorwowTable __curand_xorwow_sequences =
    __curand_tables::xorwowTable<67>();
// Steps, subsequences of 2^76 steps, sequences of 2^127.
static __device__ const __curand_tables::MrgTable __curand_mrg_steps[2] = {
    __curand_tables::mrgTable<0, 0>(), __curand_tables::mrgTable<1, 0>()};
static __device__ const __curand_tables::MrgTable __curand_mrg_subsequences[2] = {
    __curand_tables::mrgTable<0, 76>(), __curand_tables::mrgTable<1, 76>()};
static __device__ const __curand_tables::MrgTable __curand_mrg_sequences[2] = {
    __curand_tables::mrgTable<0, 127>(), __curand_tables::mrgTable<1, 127>()};
#endif
#endif

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Transforms by their definition, in double, and data for them.
#pragma once
#include "../check.h"

#include <complex>
#include <cufftXt.h>
#include <vector>

using Number = std::complex<double>;
using Numbers = std::vector<Number>;

/// What the input has at element I: no symmetry, both parts in [-1, 1].
inline Number input(long long I) {
  return {((I * 37 + 5) % 101 - 50) / 50.0, ((I * 53 + 11) % 89 - 44) / 44.0};
}

/// Sums along one axis of row-major data, with the sign of the exponent.
inline Numbers alongAxis(const Numbers &In, int Size, int Step, int Sign) {
  Numbers Roots(Size), Out(In.size());
  for (int K = 0; K < Size; ++K)
    Roots[K] = std::polar(1.0, Sign * 2 * M_PI * K / Size);
  for (size_t I = 0; I < In.size(); ++I) {
    const long long K = I / Step % Size;
    const size_t First = I - K * Step;
    for (long long J = 0; J < Size; ++J)
      Out[I] += In[First + J * Step] * Roots[J * K % Size];
  }
  return Out;
}

/// The transform of one batch's row-major data.
inline Numbers naive(Numbers Data, const std::vector<int> &Sizes, int Sign) {
  int Step = 1;
  for (size_t I = Sizes.size(); I-- > 0; Step *= Sizes[I])
    Data = alongAxis(Data, Sizes[I], Step, Sign);
  return Data;
}

inline int product(const std::vector<int> &Sizes) {
  int Result = 1;
  for (int Size : Sizes)
    Result *= Size;
  return Result;
}

/// Element (K of a batch, row-major in Sizes) in a layout.
struct Layout {
  std::vector<int> Embed;
  int Stride = 1, Distance = 0;
  size_t at(int Batch, int K, const std::vector<int> &Sizes) const {
    int Index[3] = {}, Place = 0;
    for (int I = int(Sizes.size()); I-- > 0; K /= Sizes[I])
      Index[I] = K % Sizes[I];
    for (size_t I = 0; I < Sizes.size(); ++I)
      Place = Place * (I ? Embed[I] : 1) + Index[I];
    return size_t(Batch) * Distance + size_t(Place) * Stride;
  }
};

inline Layout packed(const std::vector<int> &Sizes) { return {Sizes, 1, product(Sizes)}; }

inline std::vector<int> halved(std::vector<int> Sizes) {
  Sizes.back() = Sizes.back() / 2 + 1;
  return Sizes;
}

/// A case's expected numbers: whole spectra, or data for a real result.
struct Case {
  std::vector<int> Sizes;
  int Batch = 1;
  int count() const { return product(Sizes); }
  Numbers complexInput(int B) const {
    Numbers Data(count());
    for (int I = 0; I < count(); ++I)
      Data[I] = input(I + B * 1000);
    return Data;
  }
  Numbers realInput(int B) const {
    Numbers Data = complexInput(B);
    for (Number &N : Data)
      N = N.real();
    return Data;
  }
  /// The first half of a whole spectrum along the last axis.
  Numbers half(const Numbers &Whole) const {
    const int Last = Sizes.back(), Half = Last / 2 + 1;
    Numbers Result;
    for (int I = 0; I < count(); ++I)
      if (I % Last < Half)
        Result.push_back(Whole[I]);
    return Result;
  }
};

/// Largest difference, relative to the largest number.
struct Error {
  double Difference = 0, Size = 1e-300;
  void add(Number Actual, Number Expected) {
    const double D = std::abs(Actual - Expected);
    Difference = D <= Difference ? Difference : D; // a NaN counts
    Size = std::max(Size, std::abs(Expected));
  }
  double relative() const { return Difference / Size; }
};

#define CHECK_FFT(call) CHECK_EQ(int(call), int(CUFFT_SUCCESS))

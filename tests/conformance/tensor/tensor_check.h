// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrices for tests of tensor cores: small whole numbers, so that products are exact whatever the
// order of additions.
#pragma once

#include "check.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

/// Row `row`, column `column` of a matrix of this kind.
inline int smallNumber(int row, int column, int kind, int limit) {
  const unsigned mixed = unsigned(row * 73 + column * 179 + kind * 283 + row * column * 7);
  return int(mixed / 3 % unsigned(2 * limit + 1)) - limit;
}

template <typename T> T numberOf(int value) { return T(float(value)); }
template <> inline int numberOf<int>(int value) { return value; }
template <> inline double numberOf<double>(int value) { return value; }
template <> inline signed char numberOf<signed char>(int value) { return (signed char)(value); }
template <> inline unsigned char numberOf<unsigned char>(int value) {
  return (unsigned char)(value < 0 ? -value * 3 : value);
}
template <> inline __half numberOf<__half>(int value) { return __float2half(float(value)); }
template <> inline __nv_bfloat16 numberOf<__nv_bfloat16>(int value) {
  return __float2bfloat16(float(value));
}

inline double valueOf(__half x) { return __half2float(x); }
inline double valueOf(__nv_bfloat16 x) { return __bfloat162float(x); }
template <typename T> double valueOf(T x) { return double(x); }

/// rows x columns numbers, by rows or by columns, `pitch` elements from one to the next.
template <typename T>
std::vector<T> matrixOf(int rows, int columns, bool by_rows, int pitch, int kind, int limit) {
  std::vector<T> all(size_t((by_rows ? rows : columns) * pitch), numberOf<T>(0));
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < columns; ++column)
      all[size_t(by_rows ? row * pitch + column : column * pitch + row)] =
          numberOf<T>(smallNumber(row, column, kind, limit));
  return all;
}

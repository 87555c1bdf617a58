// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows of eight numbers, and what a tile's 16 bytes hold.
#pragma once

#include "module/matrix_operation.h"

#include <array>
#include <cmath>
#include <cstring>
#include <limits>

// How vectors are passed does not matter, as everything here is inlined.
#pragma clang diagnostic ignored "-Wpsabi"

namespace heddle::engine::matrix {

// Code for several kinds of processors is made of these by inlining.
#define HEDDLE_MATRIX_INLINE static inline __attribute__((always_inline))

using Float8 = float __attribute__((ext_vector_type(8)));
using Half8 = _Float16 __attribute__((ext_vector_type(8)));
using Bits8 = uint32_t __attribute__((ext_vector_type(8)));
using Short8 = uint16_t __attribute__((ext_vector_type(8)));
using Byte8 = uint8_t __attribute__((ext_vector_type(8)));
using SignedByte8 = int8_t __attribute__((ext_vector_type(8)));
using Int8 = int32_t __attribute__((ext_vector_type(8)));

constexpr uint32_t tile_bytes = 16; // of a row of a or b, in four threads' registers

template <typename Vector> HEDDLE_MATRIX_INLINE Vector loadVector(const void *from) {
  Vector vector;
  std::memcpy(&vector, from, sizeof(Vector));
  return vector;
}
template <typename Vector> HEDDLE_MATRIX_INLINE void storeVector(void *to, Vector vector) {
  std::memcpy(to, &vector, sizeof(Vector));
}

/// E4M3 has no infinities; its NaN has all bits set but the sign.
inline float fromE4M3(uint32_t bits) {
  const uint32_t exponent = bits >> 3 & 15, mantissa = bits & 7;
  float value = exponent ? std::ldexp(1.0f + float(mantissa) / 8, int(exponent) - 7)
                         : std::ldexp(float(mantissa), -9);
  if (exponent == 15 && mantissa == 7)
    value = std::numeric_limits<float>::quiet_NaN();
  return bits & 0x80 ? -value : value;
}

inline const std::array<float, 256> &tableOfE4M3() {
  static const std::array<float, 256> table = [] {
    std::array<float, 256> values{};
    for (uint32_t i = 0; i < 256; ++i)
      values[i] = fromE4M3(i);
    return values;
  }();
  return table;
}

/// Eight elements, number 8 * `part` and on, of a row of 16 bytes.
template <MatrixElement element>
HEDDLE_MATRIX_INLINE Float8 eightOf(const unsigned char *row, uint32_t part) {
  if constexpr (element == MatrixElement::F16) {
    return __builtin_convertvector(loadVector<Half8>(row), Float8);
  } else if constexpr (element == MatrixElement::BF16) {
    const Bits8 bits = __builtin_convertvector(loadVector<Short8>(row), Bits8) << 16;
    return __builtin_bit_cast(Float8, bits);
  } else if constexpr (element == MatrixElement::S8) {
    return __builtin_convertvector(loadVector<SignedByte8>(row + 8 * part), Float8);
  } else if constexpr (element == MatrixElement::U8) {
    return __builtin_convertvector(loadVector<Byte8>(row + 8 * part), Float8);
  } else if constexpr (element == MatrixElement::E5M2) { // the upper byte of a half
    const Short8 bits = __builtin_convertvector(loadVector<Byte8>(row + 8 * part), Short8) << 8;
    return __builtin_convertvector(__builtin_bit_cast(Half8, bits), Float8);
  } else if constexpr (element == MatrixElement::E4M3) {
    Float8 values;
    for (uint32_t i = 0; i < 8; ++i)
      values[i] = tableOfE4M3()[row[8 * part + i]];
    return values;
  } else { // four bits each
    Float8 values;
    for (uint32_t i = 0; i < 8; ++i) {
      const int bits = row[4 * part + i / 2] >> (4 * (i & 1)) & 15;
      values[i] = float(element == MatrixElement::S4 ? (bits ^ 8) - 8 : bits);
    }
    return values;
  }
}

/// NaN has one form in results.
HEDDLE_MATRIX_INLINE Float8 withOneNaN(Float8 value) {
  const Bits8 bits = __builtin_bit_cast(Bits8, value);
  const Bits8 is_nan = __builtin_bit_cast(Bits8, value != value);
  return __builtin_bit_cast(Float8, (bits & ~is_nan) | (is_nan & 0x7fffffff));
}

HEDDLE_MATRIX_INLINE Half8 toHalves(Float8 value) {
  const Half8 halves = __builtin_convertvector(value, Half8);
  const Short8 is_nan = __builtin_convertvector(__builtin_bit_cast(Bits8, value != value), Short8);
  const Short8 bits = __builtin_bit_cast(Short8, halves);
  return __builtin_bit_cast(Half8, Short8((bits & ~is_nan) | (is_nan & 0x7fff)));
}

} // namespace heddle::engine::matrix

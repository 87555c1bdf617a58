// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rounding to a 16-bit (or smaller) floating-point format, and back.
//
// A format is a type with the number of exponent and mantissa bits. Everything is done in float or
// double and rounded once at the end, which gives the correctly rounded result: float has more than
// twice the bits of either 16-bit format, plus two, so that rounding first to float and then to the
// format is harmless for + - * / and square root. A fused multiply-add is not so lucky; see fma.
// NaNs are canonical, 0x7fff, as a GPU produces them (PTX ISA, "Half precision floating-point
// instructions").
#ifndef HEDDLE_HALF_ROUNDING_H
#define HEDDLE_HALF_ROUNDING_H

#ifdef __CUDACC__
#define __HEDDLE_HALF__ static inline __attribute__((always_inline, host, device))
#define __HEDDLE_HALF_MEMBER__ inline __attribute__((always_inline, host, device))
#else
#define __HEDDLE_HALF__ static inline
#define __HEDDLE_HALF_MEMBER__ inline
#endif

// A*B+C must not be fused where the separate rounding errors are what is computed.
#if defined(__clang__) || defined(__CUDACC_RTC__)
#define __HEDDLE_NO_FUSING _Pragma("clang fp contract(off)")
#else
#define __HEDDLE_NO_FUSING
#endif

namespace __heddle_half {

// Memory that holds the values is read and written as words.
typedef unsigned short __attribute__((may_alias)) Word16;
typedef unsigned int __attribute__((may_alias)) Word32;

enum Rounding { to_nearest_even, toward_zero, downward, upward };

template <typename To, typename From> __HEDDLE_HALF__ To bitCast(From from) {
  static_assert(sizeof(To) == sizeof(From), "a bit cast keeps the size");
  To to;
  __builtin_memcpy(static_cast<void *>(&to), &from, sizeof(To));
  return to;
}

/// Rounds the value's magnitude to M mantissa bits, fewer below 2^smallest, and gives the bits of
/// an encoding of which 2^smallest is the smallest normal number, and which has no largest one.
template <int M>
__HEDDLE_HALF__ unsigned narrowMagnitude(double value, int smallest, Rounding mode) {
  const unsigned long long bits = bitCast<unsigned long long>(value);
  const bool negative = bits >> 63;
  const int exponent = int(bits >> 52 & 0x7ff) - 1023;

  // Too small for any bit of the format: only "is it zero?" matters, so any tiny value will do.
  const int below = exponent < smallest ? smallest - exponent : 0;
  const int shift = 52 - M + (below > M + 2 ? M + 2 : below);
  const unsigned long long fraction = bits & ((1ull << 52) - 1);
  unsigned long long significand = fraction | (exponent == -1023 ? 0 : 1ull << 52);
  if (exponent == -1023 && fraction != 0)
    significand = 1; // a subnormal double
  const unsigned long long rest = significand & ((1ull << shift) - 1);
  const unsigned long long half = 1ull << (shift - 1);
  unsigned result = unsigned(significand >> shift);
  if (below == 0)
    result += unsigned(exponent - smallest) << M; // the leading one adds one to the exponent
  const bool away = mode == to_nearest_even ? rest > half || (rest == half && (result & 1))
                                            : rest != 0 && mode == (negative ? downward : upward);
  return result + away;
}

/// Rounds to a format of E exponent and M mantissa bits that has infinities and NaNs as IEEE 754's
/// formats do. Gives its bits.
template <int E, int M> __HEDDLE_HALF__ unsigned short narrow(double value, Rounding mode) {
  const bool negative = bitCast<unsigned long long>(value) >> 63;
  const unsigned sign = negative ? 1u << (E + M) : 0u;
  const unsigned infinity = ((1u << E) - 1) << M;
  if (value != value)
    return (1u << (E + M)) - 1;
  const unsigned magnitude = narrowMagnitude<M>(value, 2 - (1 << (E - 1)), mode);
  if (magnitude < infinity)
    return sign | magnitude;
  const bool infinite = (bitCast<unsigned long long>(value) >> 52 & 0x7ff) == 0x7ff;
  const bool to_infinity = mode == to_nearest_even || mode == (negative ? downward : upward);
  return sign | (infinite || to_infinity ? infinity : infinity - 1);
}

/// Rounds to float so that a later rounding to fewer bits is right ("round to odd": an inexact
/// result has its last bit set, so it is never taken for a tie).
__HEDDLE_HALF__ float toFloatOdd(double value) {
  const float nearest = float(value);
  const double back = nearest;
  unsigned bits = bitCast<unsigned>(nearest);
  const bool too_large = (back < 0 ? -back : back) > (value < 0 ? -value : value);
  const bool inexact = back < value || back > value; // not for NaN
  bits -= too_large ? 1u : 0u;
  bits |= inexact ? 1u : 0u;
  return bitCast<float>(bits);
}

__HEDDLE_HALF__ double toDoubleOdd(unsigned long long value) {
  if (value >> 53 == 0)
    return double(value);
  return double(value >> 11 | ((value & 0x7ff) != 0 ? 1 : 0)) * 2048.0;
}

/// a + b, rounded to odd. The error of a sum is itself a floating-point number (Knuth's TwoSum).
template <typename Bits, typename Float> __HEDDLE_HALF__ Float addOdd(Float a, Float b) {
  __HEDDLE_NO_FUSING
  const Float sum = a + b;
  const Float b_part = sum - a;
  const Float error = (a - (sum - b_part)) + (b - b_part);
  Bits bits = bitCast<Bits>(sum);
  const bool inexact = error > 0 || error < 0; // not for NaN
  const bool grow = (error > 0) == (sum > 0);
  if (inexact && (bits & 1) == 0)
    bits = grow ? bits + 1 : bits - 1;
  return bitCast<Float>(bits);
}

/// IEEE 754 binary16.
struct Half {
  static constexpr int exponent_bits = 5, mantissa_bits = 10;

  __HEDDLE_HALF_MEMBER__ static float widen(unsigned short bits) {
#ifdef __CUDA_ARCH__
    return float(bitCast<_Float16>(bits));
#else
    const unsigned sign = unsigned(bits & 0x8000) << 16, magnitude = bits & 0x7fff;
    if (magnitude >= 0x7c00)
      return bitCast<float>(sign | 0x7f800000u | (magnitude & 0x3ff) << 13);
    // Shifted into a float's place the value is 2^112 too small; a subnormal half stays right.
    const float value = bitCast<float>(magnitude << 13) * 5192296858534827628530496329220096.0f;
    return bitCast<float>(sign | bitCast<unsigned>(value));
#endif
  }

  __HEDDLE_HALF_MEMBER__ static unsigned short round(float value) {
#ifdef __CUDA_ARCH__
    const unsigned short bits = bitCast<unsigned short>(_Float16(value));
    return value != value ? 0x7fff : bits;
#else
    return narrow<5, 10>(value, to_nearest_even);
#endif
  }

  /// A product of two halves is exact in float, so only the sum needs care.
  __HEDDLE_HALF_MEMBER__ static unsigned short fma(float a, float b, float c) {
    __HEDDLE_NO_FUSING
    return round(addOdd<unsigned, float>(a * b, c));
  }
};

/// The upper half of a float.
struct Bfloat16 {
  static constexpr int exponent_bits = 8, mantissa_bits = 7;

  __HEDDLE_HALF_MEMBER__ static float widen(unsigned short bits) {
    return bitCast<float>(unsigned(bits) << 16);
  }

  __HEDDLE_HALF_MEMBER__ static unsigned short round(float value) {
    const unsigned bits = bitCast<unsigned>(value);
    return value != value ? 0x7fff : (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
  }

  /// A product may leave float's range; in double it is exact.
  __HEDDLE_HALF_MEMBER__ static unsigned short fma(double a, double b, double c) {
    __HEDDLE_NO_FUSING
    return round(toFloatOdd(addOdd<unsigned long long, double>(a * b, c)));
  }
};

template <typename Format> __HEDDLE_HALF__ unsigned short round(double value, Rounding mode) {
  return narrow<Format::exponent_bits, Format::mantissa_bits>(value, mode);
}

/// From double a NaN keeps its sign and the upper bits of its payload (observed on an H200).
template <typename Format> __HEDDLE_HALF__ unsigned short roundDouble(double value) {
  if (value == value)
    return round<Format>(value, to_nearest_even);
  const unsigned long long bits = bitCast<unsigned long long>(value);
  const unsigned quiet = 1u << (Format::mantissa_bits - 1);
  const unsigned exponent = ((1u << Format::exponent_bits) - 1) << Format::mantissa_bits;
  const unsigned payload =
      unsigned(bits >> (52 - Format::mantissa_bits)) & ((1u << Format::mantissa_bits) - 1);
  return unsigned(bits >> 48 & 0x8000) | exponent | quiet | payload;
}

template <typename Format>
__HEDDLE_HALF__ unsigned short roundInteger(unsigned long long value, Rounding mode) {
  return round<Format>(toDoubleOdd(value), mode);
}
template <typename Format>
__HEDDLE_HALF__ unsigned short roundInteger(long long value, Rounding mode) {
  const unsigned long long bits = value;
  return round<Format>(value < 0 ? -toDoubleOdd(0 - bits) : toDoubleOdd(bits), mode);
}

__HEDDLE_HALF__ float roundToIntegral(float value, Rounding mode) {
  return mode == to_nearest_even ? __builtin_rintf(value)
         : mode == toward_zero   ? __builtin_truncf(value)
         : mode == downward      ? __builtin_floorf(value)
                                 : __builtin_ceilf(value);
}

/// To an integer type, saturating. NaN is 0, or 2^63 for the 64-bit types, as on a GPU.
template <typename Integer> __HEDDLE_HALF__ Integer toInteger(float value, Rounding mode) {
  constexpr int bits = sizeof(Integer) * 8;
  constexpr bool is_signed = Integer(-1) < Integer(0);
  constexpr unsigned long long largest = ~0ull >> (64 - bits + (is_signed ? 1 : 0));
  const float limit = float(1ull << (bits - 2)) * (is_signed ? 2.0f : 4.0f);
  const float integral = roundToIntegral(value, mode);
  if (value != value)
    return bits == 64 ? Integer(1ull << 63) : Integer(0);
  if (integral >= limit)
    return Integer(largest);
  if (integral < (is_signed ? -limit : 0.0f))
    return is_signed ? Integer(largest + 1) : Integer(0);
  return Integer(integral);
}

} // namespace __heddle_half

#endif

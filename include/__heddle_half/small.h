// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Floating-point formats of 8, 6 and 4 bits, and the types that store one, two or four values.
//
// A format is a type with encode, which rounds a double once, and decode, which is exact. All but
// E8M0 are the same arithmetic with other numbers of bits: SmallFormat.
#ifndef HEDDLE_HALF_SMALL_H
#define HEDDLE_HALF_SMALL_H

#include "../cuda_bf16.h"
#include "../cuda_fp16.h"
#include "../device_types.h"

namespace __heddle_half {

/// What the largest encodings mean: numbers; one NaN; an infinity and NaNs, as in IEEE 754.
enum Specials { only_numbers = 0, one_nan = 1, infinity_and_nans = 2 };

/// A sign, E exponent bits (at most Half's five) and M mantissa bits.
template <int E, int M, Specials S> struct SmallFormat {
  static constexpr int bits = 1 + E + M;
  static constexpr unsigned ones = (1u << (E + M)) - 1;
  static constexpr unsigned largest = ones - (S == infinity_and_nans ? 1u << M : unsigned(S));
  static constexpr unsigned overflow = S == only_numbers ? largest : largest + 1;

  __HEDDLE_HALF_MEMBER__ static unsigned encode(double value, bool saturate = true,
                                                Rounding mode = to_nearest_even) {
    const unsigned long long wide = bitCast<unsigned long long>(value);
    const unsigned sign = unsigned(wide >> 63) << (E + M);
    if (value != value) // without a NaN it is the largest number
      return S == only_numbers
                 ? +ones
                 : sign | overflow | 1u << (M - 1) | (unsigned(wide >> (52 - M)) & ((1u << M) - 1));
    const unsigned magnitude = narrowMagnitude<M>(value, 2 - (1 << (E - 1)), mode);
    unsigned limit = largest;
    if (!saturate)
      limit = overflow;
    return sign | (magnitude <= largest ? magnitude : limit);
  }
  __HEDDLE_HALF_MEMBER__ static bool nonzero(unsigned code) { return (code & ones) != 0; }

  /// Every value is a half, if its exponent is moved.
  __HEDDLE_HALF_MEMBER__ static float decode(unsigned code) {
    const unsigned magnitude = code & ones;
    if (S != only_numbers && magnitude >= largest + unsigned(S))
      return bitCast<float>(0x7fffffffu);
    const float value = Half::widen(magnitude << (10 - M)) * float(1 << (16 - (1 << (E - 1))));
    return bitCast<float>(bitCast<unsigned>(value) | code >> (E + M) << 31);
  }
};

typedef SmallFormat<4, 3, one_nan> E4M3;
typedef SmallFormat<5, 2, infinity_and_nans> E5M2;
typedef SmallFormat<2, 3, only_numbers> E2M3;
typedef SmallFormat<3, 2, only_numbers> E3M2;
typedef SmallFormat<2, 1, only_numbers> E2M1;

/// A power of two from 2^-127 to 2^127, or NaN: the scale of a block of smaller numbers. There is
/// no sign, and zero becomes the smallest. Of powers equally near, the larger one is nearest.
struct E8M0 {
  static constexpr int bits = 8;

  __HEDDLE_HALF_MEMBER__ static unsigned encode(double value, bool saturate = true,
                                                Rounding mode = upward) {
    const unsigned long long wide = bitCast<unsigned long long>(value) & ~(1ull << 63);
    const int exponent = int(wide >> 52) - 1023;
    const unsigned long long fraction = wide & ((1ull << 52) - 1);
    if (value != value)
      return 0xff;
    if (exponent < -127)
      return 0;
    const bool up = mode == upward ? fraction != 0 : mode == to_nearest_even && fraction >> 51;
    const int code = exponent + 127 + (up ? 1 : 0);
    const bool finite = saturate || ((mode == toward_zero || mode == downward) && exponent < 1024);
    return code < 0xff ? code : finite ? 0xfe : 0xff;
  }

  __HEDDLE_HALF_MEMBER__ static bool nonzero(unsigned) { return true; }

  /// The upper half of a float, where the smallest is subnormal.
  __HEDDLE_HALF_MEMBER__ static unsigned short toBfloat16(unsigned code) {
    return code == 0xff ? 0x7fff : code == 0 ? 0x40 : code << 7;
  }
  __HEDDLE_HALF_MEMBER__ static float decode(unsigned code) {
    return Bfloat16::widen(toBfloat16(code));
  }
};

/// An unknown mode is the default, as for CUDA's functions.
__HEDDLE_HALF__ Rounding toRounding(cudaRoundMode mode, Rounding otherwise) {
  return mode == cudaRoundNearest  ? to_nearest_even
         : mode == cudaRoundZero   ? toward_zero
         : mode == cudaRoundPosInf ? upward
         : mode == cudaRoundMinInf ? downward
                                   : otherwise;
}

/// A NaN without sign and payload, which conversions from float make of any.
__HEDDLE_HALF__ float canonical(float value) {
  return value != value ? bitCast<float>(0x7fffffffu) : value;
}

template <typename Format, typename Storage> struct Small {
  Storage __x;

  Small() = default;
#define __HEDDLE_FROM(T, value)                                                                    \
  explicit __HEDDLE_HALF_MEMBER__ Small(const T from)                                              \
      : __x(static_cast<Storage>(Format::encode(value))) {}
  __HEDDLE_FROM(__half, canonical(Half::widen(__half_raw(from).x)))
  __HEDDLE_FROM(__nv_bfloat16, canonical(Bfloat16::widen(__nv_bfloat16_raw(from).x)))
  __HEDDLE_FROM(float, canonical(from))
  __HEDDLE_FROM(double, from)
  __HEDDLE_FROM(unsigned short, from)
  __HEDDLE_FROM(short, from)
  __HEDDLE_FROM(unsigned int, from)
  __HEDDLE_FROM(int, from)
  __HEDDLE_FROM(unsigned long, toDoubleOdd(from))
  __HEDDLE_FROM(unsigned long long, toDoubleOdd(from))
  __HEDDLE_FROM(long, from < 0 ? -toDoubleOdd(0ull - from) : toDoubleOdd(from))
  __HEDDLE_FROM(long long, from < 0 ? -toDoubleOdd(0ull - from) : toDoubleOdd(from))
#undef __HEDDLE_FROM

  explicit __HEDDLE_HALF_MEMBER__ operator float() const { return Format::decode(__x); }
  explicit __HEDDLE_HALF_MEMBER__ operator double() const { return Format::decode(__x); }
  explicit __HEDDLE_HALF_MEMBER__ operator __half() const {
    return __half_raw{Half::round(Format::decode(__x))};
  }
  explicit __HEDDLE_HALF_MEMBER__ operator __nv_bfloat16() const {
    return __nv_bfloat16_raw{Bfloat16::round(Format::decode(__x))};
  }
#define __HEDDLE_TO(Integer)                                                                       \
  explicit __HEDDLE_HALF_MEMBER__ operator Integer() const {                                       \
    return toInteger<Integer>(Format::decode(__x), toward_zero);                                   \
  }
  __HEDDLE_TO(char)
  __HEDDLE_TO(signed char)
  __HEDDLE_TO(unsigned char)
  __HEDDLE_TO(short)
  __HEDDLE_TO(unsigned short)
  __HEDDLE_TO(int)
  __HEDDLE_TO(unsigned int)
  __HEDDLE_TO(long)
  __HEDDLE_TO(unsigned long)
  __HEDDLE_TO(long long)
  __HEDDLE_TO(unsigned long long)
#undef __HEDDLE_TO
  /// True unless it is zero of either sign, so also for NaN.
  explicit __HEDDLE_HALF_MEMBER__ operator bool() const { return Format::nonzero(__x); }
};

/// Two values, the first one in the low bits.
template <typename Format, typename Storage> struct Small2 {
  Storage __x;

  static constexpr int spacing = Format::bits > 4 ? 8 : 4;
  Small2() = default;
  explicit __HEDDLE_HALF_MEMBER__ Small2(const __half2 from)
      : Small2(Half::widen(__half2_raw(from).x), Half::widen(__half2_raw(from).y)) {}
  explicit __HEDDLE_HALF_MEMBER__ Small2(const __nv_bfloat162 from)
      : Small2(Bfloat16::widen(__nv_bfloat162_raw(from).x),
               Bfloat16::widen(__nv_bfloat162_raw(from).y)) {}
  explicit __HEDDLE_HALF_MEMBER__ Small2(const float2 from) : Small2(from.x, from.y) {}
  explicit __HEDDLE_HALF_MEMBER__ Small2(const double2 from) : Small2(from.x, from.y) {}

  explicit __HEDDLE_HALF_MEMBER__ operator float2() const {
    return float2{Format::decode(__x & ((1u << spacing) - 1)), Format::decode(__x >> spacing)};
  }
  explicit __HEDDLE_HALF_MEMBER__ operator __half2() const {
    const float2 wide(*this);
    return __half2_raw{Half::round(wide.x), Half::round(wide.y)};
  }
  explicit __HEDDLE_HALF_MEMBER__ operator __nv_bfloat162() const {
    const float2 wide(*this);
    return __nv_bfloat162_raw{Bfloat16::round(wide.x), Bfloat16::round(wide.y)};
  }

private:
  __HEDDLE_HALF_MEMBER__ Small2(float first, float second)
      : Small2(double(canonical(first)), double(canonical(second))) {}
  __HEDDLE_HALF_MEMBER__ Small2(double first, double second)
      : __x(static_cast<Storage>(Format::encode(first) | Format::encode(second) << spacing)) {}
};

/// Four values, as two pairs.
template <typename Format, typename HalfStorage, typename Storage> struct Small4 {
  Storage __x;

  typedef Small2<Format, HalfStorage> Pair;
  static constexpr int spacing = 2 * Pair::spacing;
  Small4() = default;
  explicit __HEDDLE_HALF_MEMBER__ Small4(const __half2 low, const __half2 high)
      : Small4(Pair(low), Pair(high)) {}
  explicit __HEDDLE_HALF_MEMBER__ Small4(const __nv_bfloat162 low, const __nv_bfloat162 high)
      : Small4(Pair(low), Pair(high)) {}
  explicit __HEDDLE_HALF_MEMBER__ Small4(const float4 from)
      : Small4(Pair(float2{from.x, from.y}), Pair(float2{from.z, from.w})) {}
  explicit __HEDDLE_HALF_MEMBER__ Small4(const double4 from)
      : Small4(Pair(double2{from.x, from.y}), Pair(double2{from.z, from.w})) {}
#if __HEDDLE_CUDA__ >= 13
  explicit __HEDDLE_HALF_MEMBER__ Small4(const double4_16a from)
      : Small4(Pair(double2{from.x, from.y}), Pair(double2{from.z, from.w})) {}
  explicit __HEDDLE_HALF_MEMBER__ Small4(const double4_32a from)
      : Small4(Pair(double2{from.x, from.y}), Pair(double2{from.z, from.w})) {}
#endif

  explicit __HEDDLE_HALF_MEMBER__ operator float4() const {
    Pair low, high;
    low.__x = static_cast<HalfStorage>(__x & ((1u << spacing) - 1));
    high.__x = static_cast<HalfStorage>(__x >> spacing);
    const float2 a(low), b(high);
    return float4{a.x, a.y, b.x, b.y};
  }

private:
  __HEDDLE_HALF_MEMBER__ Small4(Pair low, Pair high)
      : __x(static_cast<Storage>(low.__x | unsigned(high.__x) << spacing)) {}
};

} // namespace __heddle_half

/// The types of one format, e.g. __nv_fp8_e4m3, __nv_fp8x2_e4m3 and __nv_fp8x4_e4m3: classes of
/// their own, because programs declare them in advance.
#define __HEDDLE_SMALL_TYPE(Name, ...)                                                             \
  struct Name : __VA_ARGS__ {                                                                      \
    typedef __VA_ARGS__ __heddle_base;                                                             \
    using __heddle_base::__heddle_base;                                                            \
    Name() = default;                                                                              \
  };
#define __HEDDLE_SMALL_TYPES(fp, name, Format)                                                     \
  __HEDDLE_SMALL_TYPE(fp##_##name, __heddle_half::Small<__heddle_half::Format, fp##_storage_t>)    \
  __HEDDLE_SMALL_TYPE(fp##x2_##name,                                                               \
                      __heddle_half::Small2<__heddle_half::Format, fp##x2_storage_t>)              \
  __HEDDLE_SMALL_TYPE(                                                                             \
      fp##x4_##name,                                                                               \
      __heddle_half::Small4<__heddle_half::Format, fp##x2_storage_t, fp##x4_storage_t>)

#endif

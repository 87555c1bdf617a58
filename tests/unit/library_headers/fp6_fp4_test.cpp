// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cuda_fp6.h and cuda_fp4.h: every encoding, and every half and bfloat16 in every rounding mode,
// against a search among the values of the format.
#include <cuda_fp4.h>
#include <cuda_fp6.h>

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <vector>

namespace {

constexpr cudaRoundMode modes[] = {cudaRoundNearest, cudaRoundZero, cudaRoundPosInf,
                                   cudaRoundMinInf};

struct E2M3 {
  static constexpr int exponent_bits = 2, mantissa_bits = 3;
  static constexpr double largest = 7.5;
  typedef __nv_fp6_e2m3 One;
  typedef __nv_fp6x2_e2m3 Two;
  typedef __nv_fp6x4_e2m3 Four;
  static unsigned encode(double v, cudaRoundMode m) {
    return __nv_cvt_double_to_fp6(v, __NV_E2M3, m);
  }
  static unsigned encode(float v, cudaRoundMode m) {
    return __nv_cvt_float_to_fp6(v, __NV_E2M3, m);
  }
  static unsigned encode(__half_raw v, cudaRoundMode m) {
    return __nv_cvt_halfraw_to_fp6(v, __NV_E2M3, m);
  }
  static unsigned encode(__nv_bfloat16_raw v, cudaRoundMode m) {
    return __nv_cvt_bfloat16raw_to_fp6(v, __NV_E2M3, m);
  }
  static __half_raw toHalf(unsigned bits) { return __nv_cvt_fp6_to_halfraw(bits, __NV_E2M3); }
  static __nv_bfloat16_raw toBfloat16(unsigned bits) {
    return __nv_cvt_fp6_to_bf16raw(bits, __NV_E2M3);
  }
};

struct E3M2 {
  static constexpr int exponent_bits = 3, mantissa_bits = 2;
  static constexpr double largest = 28;
  typedef __nv_fp6_e3m2 One;
  typedef __nv_fp6x2_e3m2 Two;
  typedef __nv_fp6x4_e3m2 Four;
  static unsigned encode(double v, cudaRoundMode m) {
    return __nv_cvt_double_to_fp6(v, __NV_E3M2, m);
  }
  static unsigned encode(float v, cudaRoundMode m) {
    return __nv_cvt_float_to_fp6(v, __NV_E3M2, m);
  }
  static unsigned encode(__half_raw v, cudaRoundMode m) {
    return __nv_cvt_halfraw_to_fp6(v, __NV_E3M2, m);
  }
  static unsigned encode(__nv_bfloat16_raw v, cudaRoundMode m) {
    return __nv_cvt_bfloat16raw_to_fp6(v, __NV_E3M2, m);
  }
  static __half_raw toHalf(unsigned bits) { return __nv_cvt_fp6_to_halfraw(bits, __NV_E3M2); }
  static __nv_bfloat16_raw toBfloat16(unsigned bits) {
    return __nv_cvt_fp6_to_bf16raw(bits, __NV_E3M2);
  }
};

struct E2M1 {
  static constexpr int exponent_bits = 2, mantissa_bits = 1;
  static constexpr double largest = 6;
  typedef __nv_fp4_e2m1 One;
  typedef __nv_fp4x2_e2m1 Two;
  typedef __nv_fp4x4_e2m1 Four;
  static unsigned encode(double v, cudaRoundMode m) {
    return __nv_cvt_double_to_fp4(v, __NV_E2M1, m);
  }
  static unsigned encode(float v, cudaRoundMode m) {
    return __nv_cvt_float_to_fp4(v, __NV_E2M1, m);
  }
  static unsigned encode(__half_raw v, cudaRoundMode m) {
    return __nv_cvt_halfraw_to_fp4(v, __NV_E2M1, m);
  }
  static unsigned encode(__nv_bfloat16_raw v, cudaRoundMode m) {
    return __nv_cvt_bfloat16raw_to_fp4(v, __NV_E2M1, m);
  }
  static __half_raw toHalf(unsigned bits) { return __nv_cvt_fp4_to_halfraw(bits, __NV_E2M1); }
  static __nv_bfloat16_raw toBfloat16(unsigned bits) {
    return __nv_cvt_fp4_to_bf16raw(bits, __NV_E2M1);
  }
};

template <typename Format> class SmallTypes : public testing::Test {
protected:
  static constexpr int magnitude_bits = Format::exponent_bits + Format::mantissa_bits;
  static constexpr unsigned sign = 1u << magnitude_bits;

  static double value(unsigned code) {
    const int m = Format::mantissa_bits, bias = (1 << (Format::exponent_bits - 1)) - 1;
    const int exponent = (code & (sign - 1)) >> m, fraction = code & ((1 << m) - 1);
    const double magnitude =
        std::ldexp((exponent ? 1 << m : 0) + fraction, std::max(exponent, 1) - bias - m);
    return code & sign ? -magnitude : magnitude;
  }

  static unsigned expected(double x, cudaRoundMode mode) {
    if (std::isnan(x))
      return sign - 1;
    const unsigned s = std::signbit(x) ? sign : 0;
    const double magnitude = std::fabs(x);
    if (magnitude >= Format::largest)
      return s | (sign - 1);
    unsigned below = 0;
    while (value(below + 1) <= magnitude)
      ++below;
    const double to_below = magnitude - value(below), to_above = value(below + 1) - magnitude;
    const bool up = mode == cudaRoundNearest
                        ? to_above < to_below || (to_above == to_below && below % 2)
                    : mode == cudaRoundPosInf ? !s && to_below > 0
                    : mode == cudaRoundMinInf ? s && to_below > 0
                                              : false;
    return s | (below + up);
  }
};
typedef testing::Types<E2M3, E3M2, E2M1> Formats;
TYPED_TEST_SUITE(SmallTypes, Formats);

TYPED_TEST(SmallTypes, everyEncodingHasItsValue) {
  typename TypeParam::One one;
  for (unsigned code = 0; code < 2 * this->sign; ++code) {
    const double value = this->value(code);
    one.__x = code;
    ASSERT_EQ(float(one), value);
    ASSERT_EQ(double(one), value);
    ASSERT_EQ(std::signbit(float(one)), code >= this->sign);
    ASSERT_EQ(__half2float(__half(one)), value);
    ASSERT_EQ(__half2float(__half(TypeParam::toHalf(code))), value);
    ASSERT_EQ(__bfloat162float(__nv_bfloat16(one)), value);
    ASSERT_EQ(__bfloat162float(__nv_bfloat16(TypeParam::toBfloat16(code))), value);
    ASSERT_EQ(int(one), int(value));
    ASSERT_EQ(static_cast<unsigned char>(one), value < 0 ? 0 : int(value));
    ASSERT_EQ(static_cast<signed char>(one), int(value));
    ASSERT_EQ(static_cast<unsigned long long>(one), value < 0 ? 0u : unsigned(value));
    ASSERT_EQ(bool(one), value != 0);
    ASSERT_EQ(typename TypeParam::One(value).__x, code);
  }
}

TYPED_TEST(SmallTypes, everyHalfAndBfloat16IsRounded) {
  for (unsigned bits = 0; bits < 0x10000; ++bits) {
    const __half_raw half{static_cast<unsigned short>(bits)};
    const __nv_bfloat16_raw bfloat{static_cast<unsigned short>(bits)};
    const float a = __half2float(__half(half)), b = __bfloat162float(__nv_bfloat16(bfloat));
    for (const cudaRoundMode mode : modes) {
      ASSERT_EQ(TypeParam::encode(half, mode), this->expected(a, mode)) << a << ' ' << mode;
      ASSERT_EQ(TypeParam::encode(bfloat, mode), this->expected(b, mode)) << b << ' ' << mode;
    }
    ASSERT_EQ(typename TypeParam::One(__half(half)).__x, this->expected(a, cudaRoundNearest));
    ASSERT_EQ(typename TypeParam::One(__nv_bfloat16(bfloat)).__x,
              this->expected(b, cudaRoundNearest));
  }
}

TYPED_TEST(SmallTypes, theMiddlesAndTheirNeighboursAreRounded) {
  std::vector<double> values = {5e-324, 1e-300, 1e300, INFINITY, NAN, TypeParam::largest + 1};
  for (unsigned code = 0; code + 1 < this->sign; ++code)
    for (const double v : {this->value(code), (this->value(code) + this->value(code + 1)) / 2})
      values.insert(values.end(), {v, std::nextafter(v, -1.0), std::nextafter(v, 1e9),
                                   double(std::nextafter(float(v), 1e9f))});
  for (const double v : values)
    for (const double x : {v, -v})
      for (const cudaRoundMode mode : modes) {
        ASSERT_EQ(TypeParam::encode(x, mode), this->expected(x, mode)) << x << ' ' << mode;
        ASSERT_EQ(TypeParam::encode(float(x), mode), this->expected(float(x), mode)) << x;
      }
}

TYPED_TEST(SmallTypes, pairsAndFoursHoldTheFirstValueLowest) {
  typedef typename TypeParam::Two Two;
  typedef typename TypeParam::Four Four;
  const int spacing = this->magnitude_bits == 3 ? 4 : 8;
  EXPECT_EQ(int(sizeof(Two) * 8), 2 * spacing);
  EXPECT_EQ(int(sizeof(Four) * 8), 4 * spacing);
  const auto code = [&](double v) { return this->expected(v, cudaRoundNearest); };
  const Two two(float2{-1.5f, 100});
  EXPECT_EQ(two.__x, code(-1.5) | code(100) << spacing);
  EXPECT_EQ(Two(double2{-1.5, 100}).__x, two.__x);
  EXPECT_EQ(Two(__floats2half2_rn(-1.5f, 100)).__x, two.__x);
  EXPECT_EQ(Two(__floats2bfloat162_rn(-1.5f, 100)).__x, two.__x);
  EXPECT_EQ(float2(two).x, -1.5f);
  EXPECT_EQ(float2(two).y, TypeParam::largest);
  EXPECT_EQ(__high2float(__half2(two)), TypeParam::largest);
  EXPECT_EQ(__low2float(__nv_bfloat162(two)), -1.5f);

  const Four four(float4{-1.5f, 100, 0.5f, -4});
  EXPECT_EQ(four.__x, two.__x | (code(0.5) | code(-4) << spacing) << 2 * spacing);
  EXPECT_EQ(Four(double4{-1.5, 100, 0.5, -4}).__x, four.__x);
  EXPECT_EQ(Four(__floats2half2_rn(-1.5f, 100), __floats2half2_rn(0.5f, -4)).__x, four.__x);
  EXPECT_EQ(Four(__floats2bfloat162_rn(-1.5f, 100), __floats2bfloat162_rn(0.5f, -4)).__x, four.__x);
  const float4 back(four);
  EXPECT_EQ(back.x, -1.5f);
  EXPECT_EQ(back.y, TypeParam::largest);
  EXPECT_EQ(back.z, 0.5f);
  EXPECT_EQ(back.w, -4);
}

TEST(SmallTypes, conversionsOfPairs) {
  const unsigned short three = __nv_cvt_float_to_fp6(3, __NV_E3M2, cudaRoundZero);
  const unsigned short pair = three | three << 8 | 0x2000; // 3, -3
  EXPECT_EQ(__nv_cvt_float2_to_fp6x2(float2{3, -3}, __NV_E3M2, cudaRoundZero), pair);
  EXPECT_EQ(__nv_cvt_double2_to_fp6x2(double2{3.1, -3.1}, __NV_E3M2, cudaRoundZero), pair);
  EXPECT_EQ(__nv_cvt_halfraw2_to_fp6x2(__floats2half2_rn(3, -3), __NV_E3M2, cudaRoundNearest),
            pair);
  EXPECT_EQ(
      __nv_cvt_bfloat16raw2_to_fp6x2(__floats2bfloat162_rn(3, -3), __NV_E3M2, cudaRoundNearest),
      pair);
  EXPECT_EQ(__nv_cvt_fp6x2_to_halfraw2(pair, __NV_E3M2).y, 0xc200);
  EXPECT_EQ(__nv_cvt_fp6x2_to_bf162raw(pair, __NV_E3M2).y, 0xc040);

  EXPECT_EQ(__nv_cvt_float2_to_fp4x2(float2{3, -3}, __NV_E2M1, cudaRoundZero), 0xd5);
  EXPECT_EQ(__nv_cvt_double2_to_fp4x2(double2{3.1, -3.1}, __NV_E2M1, cudaRoundMinInf), 0xe5);
  EXPECT_EQ(__nv_cvt_halfraw2_to_fp4x2(__floats2half2_rn(3, -3), __NV_E2M1, cudaRoundZero), 0xd5);
  EXPECT_EQ(__nv_cvt_bfloat16raw2_to_fp4x2(__floats2bfloat162_rn(3, -3), __NV_E2M1, cudaRoundZero),
            0xd5);
  EXPECT_EQ(__nv_cvt_fp4x2_to_halfraw2(0xd5, __NV_E2M1).y, 0xc200);
  EXPECT_EQ(__nv_cvt_fp4x2_to_bf162raw(0xd5, __NV_E2M1).y, 0xc040);
}

} // namespace

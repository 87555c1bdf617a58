// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cuda_fp8.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace {

double decode(unsigned bits, int mantissa_bits, int bias) {
  const int exponent = (bits & 0x7f) >> mantissa_bits;
  const int fraction = bits & ((1 << mantissa_bits) - 1);
  const double s = bits & 0x80 ? -1 : 1;
  return s * std::ldexp((exponent ? 1 << mantissa_bits : 0) + fraction,
                        std::max(exponent, 1) - bias - mantissa_bits);
}

struct Format {
  __nv_fp8_interpretation_t name;
  int mantissa_bits, bias;
  unsigned largest, overflow;
};

TEST(Fp8, valuesAreExactAndTheMiddleGoesToEven) {
  for (const Format f :
       {Format{__NV_E4M3, 3, 7, 0x7e, 0x7f}, Format{__NV_E5M2, 2, 15, 0x7b, 0x7c}}) {
    const auto round = [&](double d, __nv_saturation_t s = __NV_SATFINITE) -> unsigned {
      return __nv_cvt_double_to_fp8(d, s, f.name);
    };
    for (unsigned b = 0; b <= f.largest; ++b) {
      const double v = decode(b, f.mantissa_bits, f.bias);
      const double next = decode(b + 1, f.mantissa_bits, f.bias), middle = (v + next) / 2;
      ASSERT_EQ(__half2float(__half(__nv_cvt_fp8_to_halfraw(b, f.name))), v);
      ASSERT_EQ(__half2float(__half(__nv_cvt_fp8_to_halfraw(b | 0x80, f.name))), -v);
      ASSERT_EQ(round(v), b);
      ASSERT_EQ(round(-v), b | 0x80);
      ASSERT_EQ(__nv_cvt_float_to_fp8(float(v), __NV_NOSAT, f.name), b);
      if (b < f.largest) {
        ASSERT_EQ(round(middle), b % 2 ? b + 1 : b) << middle;
        ASSERT_EQ(round(std::nextafter(middle, 0)), b);
        ASSERT_EQ(round(std::nextafter(middle, 1e9)), b + 1);
      }
    }
    EXPECT_EQ(round(1e6), f.largest);
    EXPECT_EQ(round(-INFINITY), f.largest | 0x80);
    EXPECT_EQ(round(1e6, __NV_NOSAT), f.overflow);
    // A double's NaN keeps its sign and the upper bits of its payload, where the format has bits.
    EXPECT_EQ(round(NAN), f.name == __NV_E4M3 ? 0x7fu : 0x7eu);
    EXPECT_EQ(round(-NAN), f.name == __NV_E4M3 ? 0xffu : 0xfeu);
    EXPECT_EQ(__nv_cvt_float_to_fp8(-NAN, __NV_NOSAT, f.name), 0x7f);
  }
}

TEST(Fp8, types) {
  EXPECT_EQ(float(__nv_fp8_e4m3(1000.0f)), 448.0f);
  EXPECT_EQ(float(__nv_fp8_e5m2(1e9f)), 57344.0f);
  EXPECT_EQ(float(__nv_fp8_e4m3(__float2half(0.3f))), 0.3125f);
  EXPECT_TRUE(std::isnan(float(__nv_fp8_e4m3(NAN))));
  EXPECT_EQ(sizeof(__nv_fp8_e4m3), 1u);
}

TEST(Fp8, pairsAndFoursHoldTheFirstValueLowest) {
  const __nv_fp8x2_e4m3 two(float2{-1, 1000});
  EXPECT_EQ(two.__x, 0x7eb8);
  EXPECT_EQ(__nv_fp8x2_e4m3(double2{-1, 1000}).__x, two.__x);
  EXPECT_EQ(__nv_fp8x2_e4m3(__floats2half2_rn(-1, 1000)).__x, two.__x);
  EXPECT_EQ(__nv_fp8x2_e4m3(__floats2bfloat162_rn(-1, 1000)).__x, two.__x);
  EXPECT_EQ(float2(two).x, -1);
  EXPECT_EQ(__high2float(__half2(two)), 448);
  EXPECT_EQ(__high2float(__nv_bfloat162(two)), 448);
  const __nv_fp8x4_e5m2 four(float4{-1, 1e9f, 0, 0.25f});
  EXPECT_EQ(four.__x, 0x34007bbcu);
  EXPECT_EQ(__nv_fp8x4_e5m2(double4{-1, 1e9, 0, 0.25}).__x, four.__x);
  EXPECT_EQ(float4(four).y, 57344);
  EXPECT_EQ(float4(four).w, 0.25f);
  EXPECT_EQ(__nv_cvt_float2_to_fp8x2(float2{-1, 1000}, __NV_NOSAT, __NV_E4M3), 0x7fb8);
  EXPECT_EQ(__nv_cvt_halfraw2_to_fp8x2(__floats2half2_rn(-1, 1000), __NV_SATFINITE, __NV_E4M3),
            two.__x);
  EXPECT_EQ(__nv_cvt_fp8x2_to_bf162raw(two.__x, __NV_E4M3).y, 0x43e0);
  EXPECT_EQ(__nv_cvt_fp8_to_bf16raw(0xff, __NV_E4M3).x, 0x7fff);
}

TEST(Fp8, integers) {
  EXPECT_EQ(__nv_fp8_e5m2(-7ll).__x, __nv_fp8_e5m2(-7.0f).__x);
  EXPECT_EQ(float(__nv_fp8_e4m3(~0ull)), 448);
  EXPECT_EQ(static_cast<signed char>(__nv_fp8_e4m3(-300)), -128);
  EXPECT_EQ(static_cast<unsigned>(__nv_fp8_e5m2(-300)), 0u);
  EXPECT_EQ(static_cast<short>(__nv_fp8_e5m2(57344)), 32767);
  EXPECT_EQ(int(__nv_fp8_e5m2(NAN)), 0);
}

/// The powers are searched, from below and from above.
unsigned e8m0(double value, __nv_saturation_t saturate, cudaRoundMode mode) {
  const unsigned largest = saturate == __NV_SATFINITE ? 0xfe : 0xff;
  value = std::fabs(value);
  if (std::isnan(value))
    return 0xff;
  if (std::isinf(value))
    return largest;
  int code = 0;
  if (mode == cudaRoundZero) {
    while (code < 0xfe && std::ldexp(1.0, code + 1 - 127) <= value)
      ++code;
    return code;
  }
  while (code < 0xff && std::ldexp(1.0, code - 127) < value)
    ++code;
  return std::min<unsigned>(code, largest);
}

TEST(E8M0, roundsEveryBfloat16AsItIsTold) {
  for (unsigned bits = 0; bits < 0x10000; ++bits) {
    const __nv_bfloat16_raw raw{static_cast<unsigned short>(bits)};
    const float value = __bfloat162float(__nv_bfloat16(raw));
    for (const auto saturate : {__NV_NOSAT, __NV_SATFINITE})
      for (const auto mode : {cudaRoundZero, cudaRoundPosInf}) {
        const unsigned expected = e8m0(value, saturate, mode);
        ASSERT_EQ(__nv_cvt_bfloat16raw_to_e8m0(raw, saturate, mode), expected) << value;
        ASSERT_EQ(__nv_cvt_float_to_e8m0(value, saturate, mode), expected) << value;
      }
  }
}

TEST(E8M0, roundsBesideEveryPower) {
  for (int exponent = -160; exponent <= 140; ++exponent)
    for (const double factor : {1.0, 1 + 0x1p-52, 1.25, 1.5, 2 - 0x1p-52})
      for (const auto saturate : {__NV_NOSAT, __NV_SATFINITE})
        for (const auto mode : {cudaRoundZero, cudaRoundPosInf}) {
          const double value = std::ldexp(factor, exponent);
          const unsigned expected = e8m0(value, saturate, mode);
          ASSERT_EQ(__nv_cvt_double_to_e8m0(value, saturate, mode), expected) << value;
          ASSERT_EQ(__nv_cvt_double2_to_e8m0x2(double2{-value, 1}, saturate, mode),
                    expected | 0x7f00);
          ASSERT_EQ(__nv_cvt_float2_to_e8m0x2(float2{4, float(value)}, saturate, mode),
                    0x81 | e8m0(float(value), saturate, mode) << 8);
        }
  EXPECT_EQ(__nv_cvt_double_to_e8m0(1e300, __NV_NOSAT, cudaRoundZero), 0xfe);
  EXPECT_EQ(__nv_cvt_double_to_e8m0(1e300, __NV_NOSAT, cudaRoundPosInf), 0xff);
}

TEST(E8M0, valuesArePowersOfTwo) {
  for (unsigned code = 0; code < 0xff; ++code) {
    __nv_fp8_e8m0 scale;
    scale.__x = code;
    const double value = std::ldexp(1.0, int(code) - 127);
    ASSERT_EQ(float(scale), value);
    ASSERT_EQ(double(scale), value);
    ASSERT_EQ(__bfloat162float(__nv_bfloat16(scale)), value);
    ASSERT_EQ(__half2float(__half(scale)), __half2float(__half(value)));
    ASSERT_EQ(__nv_fp8_e8m0(value).__x, code);
    ASSERT_EQ(__nv_fp8_e8m0(float(value)).__x, code);
    ASSERT_TRUE(bool(scale));
    const __nv_bfloat162_raw both = __nv_cvt_e8m0x2_to_bf162raw(code | 0x7f00);
    ASSERT_EQ(both.x, __nv_cvt_e8m0_to_bf16raw(code).x);
    ASSERT_EQ(both.y, 0x3f80);
  }
  EXPECT_EQ(__nv_cvt_e8m0_to_bf16raw(0xff).x, 0x7fff);
  EXPECT_TRUE(std::isnan(float(__nv_fp8_e8m0(NAN))));
}

TEST(E8M0, integersAreRoundedUp) {
  EXPECT_EQ(__nv_fp8_e8m0(0).__x, 0);
  EXPECT_EQ(__nv_fp8_e8m0(-3).__x, 129);
  EXPECT_EQ(__nv_fp8_e8m0((1ull << 62) + 1).__x, 190);
  EXPECT_EQ(__nv_fp8_e8m0(-(1ll << 62) - 1).__x, 190);
  EXPECT_EQ(__nv_fp8_e8m0(~0ul).__x, 191);
  EXPECT_EQ(int(__nv_fp8_e8m0(1e30f)), 0x7fffffff);
  EXPECT_EQ(static_cast<unsigned char>(__nv_fp8_e8m0(64)), 64);
  EXPECT_EQ(int(__nv_fp8_e8m0(NAN)), 0);
}

} // namespace

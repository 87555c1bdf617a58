// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cuda_fp8.h>

#include <gtest/gtest.h>

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
    EXPECT_EQ(round(NAN), 0x7fu);
  }
}

TEST(Fp8, types) {
  EXPECT_EQ(float(__nv_fp8_e4m3(1000.0f)), 448.0f);
  EXPECT_EQ(float(__nv_fp8_e5m2(1e9f)), 57344.0f);
  EXPECT_EQ(float(__nv_fp8_e4m3(__float2half(0.3f))), 0.3125f);
  EXPECT_TRUE(std::isnan(float(__nv_fp8_e4m3(NAN))));
  EXPECT_EQ(sizeof(__nv_fp8_e4m3), 1u);
}

} // namespace

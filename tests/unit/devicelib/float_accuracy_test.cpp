// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Single-precision functions against the C library's double-precision ones, over arguments spread
// evenly across all float bit patterns. The bounds are those of the CUDA C++ Programming Guide,
// "Mathematical Functions": the distance, in floats, from the correctly rounded result.
#include "float_accuracy.h"

#include <vector>

using namespace heddle::test;

namespace {

constexpr double pi = 3.14159265358979323846;
const float infinity = INFINITY;
const float nan = NAN;

TEST(DeviceFloat, Exponentials) {
  expectUlp("expf", __nv_expf, exp, 1);
  expectUlp("exp2f", __nv_exp2f, exp2, 2);
  expectUlp("exp10f", __nv_exp10f, [](double x) { return pow(10.0, x); }, 2);
  expectUlp("expm1f", __nv_expm1f, expm1, 1);
  expectUlp("sinhf", __nv_sinhf, sinh, 3);
  expectUlp("coshf", __nv_coshf, cosh, 2);
  expectUlp("tanhf", __nv_tanhf, tanh, 2);
  expectUlp("expf", __nv_expf, exp, 1, -104, 89);
  expectUlp("exp10f", __nv_exp10f, [](double x) { return pow(10.0, x); }, 2, -45.5, 38.6);
  expectUlp("expm1f", __nv_expm1f, expm1, 1, -20, 89);
  expectUlp("sinhf", __nv_sinhf, sinh, 3, -90, 90);
}

TEST(DeviceFloat, Logarithms) {
  expectUlp("logf", __nv_logf, log, 1);
  expectUlp("log2f", __nv_log2f, log2, 1);
  expectUlp("log10f", __nv_log10f, log10, 2);
  expectUlp("log1pf", __nv_log1pf, log1p, 1);
  expectUlp("logf", __nv_logf, log, 1, 0.3, 3);
  expectUlp("log2f", __nv_log2f, log2, 1, 0.3, 3);
  expectUlp("log10f", __nv_log10f, log10, 2, 0.3, 3);
  expectUlp("log1pf", __nv_log1pf, log1p, 1, -1, 3);
  expectUlp("asinhf", __nv_asinhf, asinh, 3);
  expectUlp("acoshf", __nv_acoshf, acosh, 4);
  expectUlp("acoshf", __nv_acoshf, acosh, 4, 1, 3);
  expectUlp("atanhf", __nv_atanhf, atanh, 3);
  expectUlp("atanhf", __nv_atanhf, atanh, 3, -1, 1);
}

// The double references reduce their argument by a rounded pi, except at exact multiples.
double sinPiReference(double x) {
  double r = x - 2 * rint(x / 2);
  return fabs(r) == 0 || fabs(r) == 1 ? copysign(0.0, x)
         : fabs(r) == 0.5             ? 2 * r
                                      : double(sinl(3.14159265358979323846264338L * r));
}
double cosPiReference(double x) {
  double r = fabs(x - 2 * rint(x / 2));
  return r == 0.5 ? 0.0 : r == 1 ? -1.0 : double(cosl(3.14159265358979323846264338L * r));
}
float sinOfSincosf(float x) {
  float s, c;
  __nv_sincosf(x, &s, &c);
  return s;
}
float cosOfSincospif(float x) {
  float s, c;
  __nv_sincospif(x, &s, &c);
  return c;
}

TEST(DeviceFloat, Trigonometry) {
  expectUlp("sinf", __nv_sinf, sin, 2);
  expectUlp("cosf", __nv_cosf, cos, 2);
  expectUlp("tanf", __nv_tanf, tan, 4);
  expectUlp("sinf", __nv_sinf, sin, 2, -110000, 110000);
  expectUlp("cosf", __nv_cosf, cos, 2, -110000, 110000);
  expectUlp("tanf", __nv_tanf, tan, 4, -110000, 110000);
  expectUlp("sincosf", sinOfSincosf, sin, 2, -100, 100);
  expectUlp("sinpif", __nv_sinpif, sinPiReference, 1);
  expectUlp("cospif", __nv_cospif, cosPiReference, 1);
  expectUlp("sinpif", __nv_sinpif, sinPiReference, 1, -8, 8);
  expectUlp("cospif", __nv_cospif, cosPiReference, 1, -8, 8);
  expectUlp("sincospif", cosOfSincospif, cosPiReference, 1, -8, 8);
  expectUlp("asinf", __nv_asinf, asin, 2, -1.1f, 1.1f);
  expectUlp("acosf", __nv_acosf, acos, 2, -1.1f, 1.1f);
  expectUlp("asinf", __nv_asinf, asin, 2);
  expectUlp("acosf", __nv_acosf, acos, 2);
  expectUlp("atanf", __nv_atanf, atan, 2);
  expectUlp("atanf", __nv_atanf, atan, 2, -3, 3);
  expectUlp2("atan2f", __nv_atan2f, atan2, 3);
}

// Floats that lie closest to multiples of pi/2, where a reduction loses the most digits.
TEST(DeviceFloat, TrigonometryNearMultiplesOfHalfPi) {
  for (int k = 1; k < 2000000; k += k < 2000 ? 1 : 997) {
    float x = float(k * (pi / 2));
    ASSERT_LE(distance(__nv_sinf(x), float(sin(x))), 2u) << x;
    ASSERT_LE(distance(__nv_cosf(x), float(cos(x))), 2u) << x;
    ASSERT_LE(distance(__nv_tanf(x), float(tan(x))), 4u) << x;
  }
  // The worst case of all floats: 16367173 * 2^72.
  float worst = ldexpf(16367173.0f, 72);
  EXPECT_LE(distance(__nv_cosf(worst), float(cos(double(worst)))), 2u);
}

TEST(DeviceFloat, Powers) {
  expectUlp2("powf", __nv_powf, pow, 4);
  expectUlp("rsqrtf", __nv_rsqrtf, [](double x) { return 1 / sqrt(x); }, 2);
  expectUlp("cbrtf", __nv_cbrtf, cbrt, 1);
  expectUlp("rcbrtf", __nv_rcbrtf, [](double x) { return 1 / cbrt(x); }, 1);
  expectUlp2("hypotf", __nv_hypotf, hypot, 3);
  expectUlp2("rhypotf", __nv_rhypotf, [](double x, double y) { return 1 / hypot(x, y); }, 2);
  expectUlp2(
      "norm3df", [](float x, float y) { return __nv_norm3df(x, y, 1.5f); },
      [](double x, double y) { return hypot(hypot(x, y), 1.5); }, 3);
  expectUlp2(
      "rnorm4df", [](float x, float y) { return __nv_rnorm4df(x, y, 1.5f, -2.0f); },
      [](double x, double y) { return 1 / hypot(hypot(x, y), 2.5); }, 2);
  float v[] = {3, 4, 12, 84, 1e30f};
  EXPECT_FLOAT_EQ(__nv_normf(4, v), 85);
  EXPECT_FLOAT_EQ(__nv_normf(5, v), 1e30f);
  EXPECT_FLOAT_EQ(__nv_rnormf(3, v), 1.0f / 13);
  EXPECT_EQ(__nv_powif(-2.0f, 5), -32);
  EXPECT_EQ(__nv_powif(2.0f, -149), 0x1p-149f);
  EXPECT_EQ(__nv_powif(3.0f, 0), 1);
  EXPECT_EQ(__nv_powif(0.0f, -3), infinity);
  EXPECT_FLOAT_EQ(__nv_powif(1.0001f, 100000), float(pow(double(1.0001f), 100000)));
}

// C's Annex F, which CUDA follows, for every pair of special and ordinary numbers.
TEST(DeviceFloat, PowSpecialCases) {
  const float values[] = {0, 0.5f, 1, 1.5f, 2, 3, 16777217.0f, 1e30f, infinity, nan, 0x1p-149f};
  for (float a : values)
    for (float b : values)
      for (float x : {a, -a})
        for (float y : {b, -b})
          EXPECT_LE(distance(__nv_powf(x, y), float(pow(double(x), double(y)))), 1u)
              << x << " ^ " << y;
}

TEST(DeviceFloat, Atan2SpecialCases) {
  const float values[] = {0, 0.5f, 1, 1e30f, infinity, nan, 0x1p-149f};
  for (float a : values)
    for (float b : values)
      for (float x : {a, -a})
        for (float y : {b, -b})
          EXPECT_LE(distance(__nv_atan2f(x, y), float(atan2(double(x), double(y)))), 1u)
              << x << ", " << y;
}

// The bounds of the guide's "Intrinsic Functions" table.
TEST(DeviceFloat, FastIntrinsics) {
  expectUlpBound(
      "fast_expf", __nv_fast_expf, exp, [](float x) { return 2 + floor(fabs(1.173 * x)); }, -103,
      88.7f);
  expectUlpBound(
      "fast_exp10f", __nv_fast_exp10f, [](double x) { return pow(10.0, x); },
      [](float x) { return 2 + floor(fabs(2.97 * x)); }, -44, 38.5f);
  expectAbsolute("fast_sinf", __nv_fast_sinf, sin, exp2(-21.41), -3.1415927f, 3.1415927f);
  expectAbsolute("fast_cosf", __nv_fast_cosf, cos, exp2(-21.19), -3.1415927f, 3.1415927f);
  expectAbsolute("fast_logf", __nv_fast_logf, log, exp2(-21.41), 0.5f, 2);
  expectAbsolute("fast_log2f", __nv_fast_log2f, log2, exp2(-22), 0.5f, 2);
  expectAbsolute("fast_log10f", __nv_fast_log10f, log10, exp2(-24), 0.5f, 2);
  for (auto [low, high] : {std::pair{0x1p-126f, 0.5f}, std::pair{2.0f, 0x1p127f}}) {
    expectUlp("fast_logf", __nv_fast_logf, log, 3, low, high);
    expectUlp("fast_log2f", __nv_fast_log2f, log2, 2, low, high);
    expectUlp("fast_log10f", __nv_fast_log10f, log10, 3, low, high);
  }
  for (float y = 0x1p-126f; y <= 0x1p126f; y *= 1.37f)
    EXPECT_LE(distance(__nv_fast_fdividef(1.7f, y), 1.7f / y), 2u) << y;
  EXPECT_EQ(__nv_fast_fdividef(1.0f, 0x1.8p126f), 0);
  EXPECT_TRUE(std::isnan(__nv_fast_fdividef(infinity, 0x1.8p126f)));
  EXPECT_NEAR(__nv_fast_powf(2.5f, 3.5f), pow(2.5, 3.5), 1e-4);
  EXPECT_NEAR(__nv_fast_tanf(0.7f), tan(0.7), 1e-6);
  for (float x = 4; x < infinity; x *= 1.7f)
    EXPECT_LE(std::fabs(__nv_fast_sinf(x)), 1.000001f) << x;
  EXPECT_TRUE(std::isnan(__nv_fast_cosf(infinity)));
  float s, c;
  __nv_fast_sincosf(2.0f, &s, &c);
  EXPECT_EQ(s, __nv_fast_sinf(2.0f));
  EXPECT_EQ(c, __nv_fast_cosf(2.0f));
}

} // namespace

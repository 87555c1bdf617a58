// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The error, gamma and Bessel functions, against the C library's in double, or where it has none,
// against identities and series. The bounds are those of the CUDA C++ Programming Guide.
#include "float_accuracy.h"

using namespace heddle::test;

namespace {

// erfcx by the Laplace continued fraction for x > 2, where exp(x^2) erfc(x) loses digits.
double erfcxReference(double x) {
  if (x < 2)
    return double(expl((long double)x * x) * erfcl(x));
  long double fraction = x;
  for (int k = 200; k > 0; --k)
    fraction = x + (k / 2.0L) / fraction;
  return double(1 / (sqrtl(acosl(-1)) * fraction));
}
double normcdfReference(double x) { return double(0.5L * erfcl(-x / sqrtl(2))); }

TEST(DeviceFloat, ErrorFunctions) {
  expectUlp("erff", __nv_erff, erf, 2);
  expectUlp("erff", __nv_erff, erf, 2, -4.5f, 4.5f);
  expectUlp("erfcf", __nv_erfcf, erfc, 4);
  expectUlp("erfcf", __nv_erfcf, erfc, 4, -4, 10.3f);
  expectUlp("erfcf", __nv_erfcf, erfc, 4, 0.25f, 10.3f);
  expectUlp("erfcxf", __nv_erfcxf, erfcxReference, 4, -10, 0x1.fffffep+127f);
  expectUlp("erfcxf", __nv_erfcxf, erfcxReference, 4, 0.1f, 100);
  expectUlp("normcdff", __nv_normcdff, normcdfReference, 5);
  expectUlp("normcdff", __nv_normcdff, normcdfReference, 5, -14.5f, -0.1f);
}

// An inverse is right when the function's value, moved by a few floats of the argument, meets the
// argument: compare with one Newton step in long double from the float result.
double refinedErfcinv(double x, double start) {
  long double y = start;
  for (int i = 0; i < 3; ++i) {
    long double step = (erfcl(y) - x) * expl(y * y) * sqrtl(acosl(-1)) / 2;
    y += step / (1 - y * step);
  }
  return double(y);
}
double refinedErfinv(double x, double start) {
  if (fabs(x) > 0.5)
    return copysign(refinedErfcinv(1 - fabs(x), fabs(start)), x);
  long double y = start;
  for (int i = 0; i < 3; ++i)
    y -= (erfl(y) - x) * expl(y * y) * sqrtl(acosl(-1)) / 2;
  return double(y);
}

TEST(DeviceFloat, InverseErrorFunctions) {
  auto erfinv = [](double x) { return x == 0 ? x : refinedErfinv(x, __nv_erfinvf(float(x))); };
  auto erfcinv = [](double x) { return refinedErfcinv(x, __nv_erfcinvf(float(x))); };
  auto normcdfinv = [](double x) {
    return double(-sqrtl(2) * refinedErfcinv(2 * x, __nv_erfcinvf(float(2 * x))));
  };
  expectUlp("erfinvf", __nv_erfinvf, erfinv, 2, -0x1.fffffep-1f, 0x1.fffffep-1f);
  expectUlp("erfinvf", __nv_erfinvf, erfinv, 2, 0.5f, 0x1.fffffep-1f);
  expectUlp("erfcinvf", __nv_erfcinvf, erfcinv, 4, 0x1p-120f, 1.99f);
  expectUlp("erfcinvf", __nv_erfcinvf, erfcinv, 4, 0.01f, 1.99f);
  expectUlp("normcdfinvf", __nv_normcdfinvf, normcdfinv, 5, 0x1p-120f, 0.99f);
  EXPECT_EQ(__nv_erfinvf(1), INFINITY);
  EXPECT_EQ(__nv_erfinvf(-1), -INFINITY);
  EXPECT_TRUE(std::isnan(__nv_erfinvf(1.5f)));
  EXPECT_EQ(distance(__nv_erfinvf(-0.0f), -0.0f), 0u);
  EXPECT_EQ(__nv_erfcinvf(0), INFINITY);
  EXPECT_EQ(__nv_erfcinvf(2), -INFINITY);
  EXPECT_EQ(__nv_erfcinvf(1), 0);
  EXPECT_TRUE(std::isnan(__nv_erfcinvf(-0.1f)));
  EXPECT_TRUE(std::isnan(__nv_erfcinvf(2.1f)));
  EXPECT_EQ(__nv_normcdfinvf(0), -INFINITY);
  EXPECT_EQ(__nv_normcdfinvf(1), INFINITY);
  EXPECT_EQ(__nv_normcdfinvf(0.5f), 0);
}

double lgammaReference(double x) {
  int sign;
  return double(lgammal_r(x, &sign));
}

TEST(DeviceFloat, GammaFunctions) {
  expectUlp("lgammaf", __nv_lgammaf, lgammaReference, 6);
  expectUlp("lgammaf", __nv_lgammaf, lgammaReference, 6, 0.5f, 3);
  expectUlp("lgammaf", __nv_lgammaf, lgammaReference, 6, -2.2f, 100);
  expectUlp("lgammaf", __nv_lgammaf, lgammaReference, 6, -200, -10.002f);
  expectUlp("tgammaf", __nv_tgammaf, tgamma, 5, -42, 36);
  expectUlp("tgammaf", __nv_tgammaf, tgamma, 5, 1, 36);
  for (float x : {0.0f, -0.0f, INFINITY, -INFINITY, -1.0f, -2.0f, NAN, 40.0f, -43.5f, -60.5f})
    EXPECT_EQ(distance(__nv_tgammaf(x), float(tgamma(double(x)))), 0u) << x;
}

// The series of I_n, whose terms are positive.
double besselIReference(int n, double x) {
  long double term = n == 0 ? 1 : x / 2.0L, sum = term;
  for (int k = 1; k < 400; ++k)
    sum += term *= (long double)x * x / 4 / k / (k + n);
  return double(sum);
}

TEST(DeviceFloat, BesselFunctions) {
  for (float x = -90; x < 90; x += 0.00731f) {
    ASSERT_LE(distance(__nv_cyl_bessel_i0f(x), float(besselIReference(0, x))), 6u) << x;
    ASSERT_LE(distance(__nv_cyl_bessel_i1f(x), float(besselIReference(1, x))), 6u) << x;
  }
  EXPECT_EQ(__nv_cyl_bessel_i0f(-INFINITY), INFINITY);
  EXPECT_EQ(__nv_cyl_bessel_i1f(-INFINITY), -INFINITY);
  for (float x = 0.01f; x < 8; x += 0.00173f) {
    ASSERT_LE(distance(__nv_j0f(x), float(j0(x))), 9u) << x;
    ASSERT_LE(distance(__nv_j1f(x), float(j1(x))), 9u) << x;
    ASSERT_LE(distance(__nv_y0f(x), float(y0(x))), 9u) << x;
    ASSERT_LE(distance(__nv_y1f(x), float(y1(x))), 9u) << x;
  }
  for (float x = 8; x < 1000; x *= 1.0173f) {
    ASSERT_NEAR(__nv_j0f(x), j0(x), 2.2e-6) << x;
    ASSERT_NEAR(__nv_j1f(x), j1(x), 2.2e-6) << x;
    ASSERT_NEAR(__nv_y0f(x), y0(x), 2.2e-6) << x;
    ASSERT_NEAR(__nv_y1f(x), y1(x), 2.2e-6) << x;
    ASSERT_NEAR(__nv_jnf(3, x), jn(3, x), 2.2e-6) << x;
    ASSERT_NEAR(__nv_ynf(3, x), yn(3, x), 2.2e-6) << x;
  }
}

} // namespace

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Accuracy and special cases of the double trigonometric functions and their inverses. The bounds
// are those of the CUDA C++ Programming Guide, "Mathematical Functions Appendix".
#include "double_accuracy.h"

#include <gtest/gtest.h>

#include <cfloat>
#include <cmath>

extern "C" {
double __nv_sin(double);
double __nv_cos(double);
double __nv_tan(double);
void __nv_sincos(double, double *, double *);
double __nv_sinpi(double);
double __nv_cospi(double);
void __nv_sincospi(double, double *, double *);
double __nv_asin(double);
double __nv_acos(double);
double __nv_atan(double);
double __nv_atan2(double, double);
}

namespace heddle::test {
namespace {

constexpr double inf = HUGE_VAL;
const double nan = std::nan("");

// Small, ordinary and huge angles, and multiples of pi/2, where the remainder is small.
void expectAngles(Function1 function, const Reference1 &reference) {
  expectUlps(function, reference, 2, {-1, 1});
  expectUlps(function, reference, 2, {-1000, 1000});
  expectUlps(function, reference, 2, {DBL_TRUE_MIN, 1, Spread::Exponents}, 5000);
  expectUlps(function, reference, 2, {-1, -0x1p60, Spread::Exponents});
  expectUlps(function, reference, 2, {0x1p44, DBL_MAX, Spread::Exponents});
  for (double n : {1.0, 2.0, 3.0, 4.0, 1e3, 12345.0, 1e6, 1e9, 1e12, 1e13})
    for (int ulps = -2; ulps <= 2; ++ulps) {
      double x = n * M_PI_2;
      x += ulps * (std::nextafter(x, inf) - x);
      EXPECT_LE(ulpError(function(x), reference(x)), 2) << x;
    }
  // The double closest to a multiple of pi/2, relative to its size.
  double closest = 6381956970095103.0 * 0x1p797;
  EXPECT_LE(ulpError(function(closest), reference(closest)), 2);
  expectSame(function(inf), nan);
  expectSame(function(-inf), nan);
  expectSame(function(nan), nan);
}

TEST(DoubleTrig, Sin) {
  expectAngles(__nv_sin, [](long double x) { return std::sin(x); });
  expectSame(__nv_sin(-0.0), -0.0);
  expectSame(__nv_sin(0.0), 0.0);
}

TEST(DoubleTrig, Cos) {
  expectAngles(__nv_cos, [](long double x) { return std::cos(x); });
  expectSame(__nv_cos(-0.0), 1);
}

TEST(DoubleTrig, Tan) {
  expectAngles(__nv_tan, [](long double x) { return std::tan(x); });
  expectSame(__nv_tan(-0.0), -0.0);
}

TEST(DoubleTrig, SinCosGivesBoth) {
  for (double x : {0.0, -0.0, 0.5, -3.0, 1e5, 1e22, -1e300}) {
    double sine, cosine;
    __nv_sincos(x, &sine, &cosine);
    expectSame(sine, __nv_sin(x));
    expectSame(cosine, __nv_cos(x));
    __nv_sincospi(x, &sine, &cosine);
    expectSame(sine, __nv_sinpi(x));
    expectSame(cosine, __nv_cospi(x));
  }
}

constexpr long double pi = 3.14159265358979323846264338327950288L;

TEST(DoubleTrig, SinPi) {
  auto reference = [](long double x) { return std::sin(pi * std::remainder(x, 2.0L)); };
  expectUlps(__nv_sinpi, reference, 2, {-0.25, 0.25});
  expectUlps(__nv_sinpi, reference, 2, {0.2501, 0.7499});
  expectUlps(__nv_sinpi, reference, 2, {1e-300, 1e-3, Spread::Exponents});
  expectUlps(__nv_sinpi, reference, 2, {100000.0001, 100000.9});
  for (double x : {0.0, 1.0, 2.0, 3.0, 12345.0, 0x1p52 + 1, 0x1p53, 1e300}) {
    expectSame(__nv_sinpi(x), 0.0);
    expectSame(__nv_sinpi(-x), -0.0);
  }
  expectSame(__nv_sinpi(0.5), 1);
  expectSame(__nv_sinpi(1.5), -1);
  expectSame(__nv_sinpi(inf), nan);
  expectSame(__nv_sinpi(nan), nan);
}

TEST(DoubleTrig, CosPi) {
  auto reference = [](long double x) {
    long double y = std::fabs(std::remainder(x, 2.0L));
    return std::sin(pi * (0.5L - y));
  };
  expectUlps(__nv_cospi, reference, 2, {-1, 1});
  expectUlps(__nv_cospi, reference, 2, {-10000, 10000});
  for (double x : {0.0, 2.0, 12346.0, 0x1p53, 1e300})
    expectSame(__nv_cospi(x), 1);
  expectSame(__nv_cospi(0x1p52 + 1), -1);
  expectSame(__nv_cospi(0.5), 0.0);
  expectSame(__nv_cospi(-1.5), 0.0);
  expectSame(__nv_cospi(-inf), nan);
}

TEST(DoubleInverseTrig, Asin) {
  auto reference = [](long double x) { return std::asin(x); };
  expectUlps(__nv_asin, reference, 2, {-1, 1});
  expectUlps(__nv_asin, reference, 2, {DBL_TRUE_MIN, 1, Spread::Exponents});
  expectUlps(__nv_asin, reference, 2, {0.999999, 1});
  expectSame(__nv_asin(-0.0), -0.0);
  expectSame(__nv_asin(1.0000001), nan);
  expectSame(__nv_asin(-inf), nan);
  expectSame(__nv_asin(nan), nan);
}

TEST(DoubleInverseTrig, Acos) {
  auto reference = [](long double x) { return std::acos(x); };
  expectUlps(__nv_acos, reference, 2, {-1, 1});
  expectUlps(__nv_acos, reference, 2, {0.999999, 1});
  expectUlps(__nv_acos, reference, 2, {-1e-300, -1, Spread::Exponents});
  expectSame(__nv_acos(1), 0);
  expectSame(__nv_acos(-1), M_PI);
  expectSame(__nv_acos(0), M_PI_2);
  expectSame(__nv_acos(1.0000001), nan);
  expectSame(__nv_acos(inf), nan);
  expectSame(__nv_acos(nan), nan);
}

TEST(DoubleInverseTrig, Atan) {
  auto reference = [](long double x) { return std::atan(x); };
  expectUlps(__nv_atan, reference, 2, {-4, 4});
  expectUlps(__nv_atan, reference, 2, {DBL_TRUE_MIN, DBL_MAX, Spread::Exponents});
  expectUlps(__nv_atan, reference, 2, {-1e-5, -1e5, Spread::Exponents});
  expectSame(__nv_atan(inf), M_PI_2);
  expectSame(__nv_atan(-inf), -M_PI_2);
  expectSame(__nv_atan(-0.0), -0.0);
  expectSame(__nv_atan(nan), nan);
}

TEST(DoubleInverseTrig, Atan2) {
  auto reference = [](long double y, long double x) { return std::atan2(y, x); };
  expectUlps(__nv_atan2, reference, 2, {-1, 1}, {-1, 1});
  expectUlps(__nv_atan2, reference, 2, {1e-300, 1e300, Spread::Exponents},
             {1e-300, 1e300, Spread::Exponents});
  expectUlps(__nv_atan2, reference, 2, {DBL_TRUE_MIN, DBL_MAX, Spread::Exponents},
             {-1e-320, -DBL_MAX, Spread::Exponents});
  for (double y : {0.0, -0.0, 1.0, -1.0, DBL_TRUE_MIN, DBL_MAX, inf, -inf, nan})
    for (double x : {0.0, -0.0, 1.0, -1.0, DBL_TRUE_MIN, -DBL_MAX, inf, -inf, nan})
      EXPECT_LE(ulpError(__nv_atan2(y, x), std::atan2(static_cast<long double>(y), x)), 1)
          << y << ", " << x;
}

} // namespace
} // namespace heddle::test

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Accuracy and special cases of the double roots and Euclidean norms, whose bound is 1 ulp.
#include "double_accuracy.h"

#include <gtest/gtest.h>

#include <cfloat>
#include <cmath>

extern "C" {
double __nv_sqrt(double);
double __nv_rsqrt(double);
double __nv_cbrt(double);
double __nv_rcbrt(double);
double __nv_hypot(double, double);
double __nv_rhypot(double, double);
double __nv_norm3d(double, double, double);
double __nv_rnorm3d(double, double, double);
double __nv_norm4d(double, double, double, double);
double __nv_rnorm4d(double, double, double, double);
double __nv_norm(int, const double *);
double __nv_rnorm(int, const double *);
}

namespace heddle::test {
namespace {

constexpr double inf = HUGE_VAL;
const double nan = std::nan("");

void expectPositiveNumbers(Function1 function, const Reference1 &reference, double bound) {
  expectUlps(function, reference, bound, {DBL_TRUE_MIN, DBL_MAX, Spread::Exponents});
  expectUlps(function, reference, bound, {1, 8});
  expectUlps(function, reference, bound, {0x1p-1060, 0x1p-1000, Spread::Exponents});
}

TEST(DoubleRoot, Sqrt) {
  expectPositiveNumbers(__nv_sqrt, [](long double x) { return std::sqrt(x); }, 0.5);
  expectSame(__nv_sqrt(-0.0), -0.0);
  expectSame(__nv_sqrt(-1), nan);
}

TEST(DoubleRoot, Rsqrt) {
  expectPositiveNumbers(__nv_rsqrt, [](long double x) { return 1 / std::sqrt(x); }, 1);
  expectSame(__nv_rsqrt(0.0), inf);
  expectSame(__nv_rsqrt(-0.0), -inf);
  expectSame(__nv_rsqrt(inf), 0);
  expectSame(__nv_rsqrt(-1), nan);
  expectSame(__nv_rsqrt(-inf), nan);
  expectSame(__nv_rsqrt(nan), nan);
  expectSame(__nv_rsqrt(4), 0.5);
}

TEST(DoubleRoot, Cbrt) {
  auto reference = [](long double x) { return std::cbrt(x); };
  expectPositiveNumbers(__nv_cbrt, reference, 1);
  expectUlps(__nv_cbrt, reference, 1, {-1000, 1000});
  for (double x : {0.0, -0.0, inf, -inf, nan})
    expectSame(__nv_cbrt(x), x);
  for (double n = -100; n <= 100; ++n)
    expectSame(__nv_cbrt(n * n * n), n);
}

TEST(DoubleRoot, Rcbrt) {
  auto reference = [](long double x) { return 1 / std::cbrt(x); };
  expectPositiveNumbers(__nv_rcbrt, reference, 1);
  expectUlps(__nv_rcbrt, reference, 1, {-1000, -0.001});
  expectSame(__nv_rcbrt(0.0), inf);
  expectSame(__nv_rcbrt(-0.0), -inf);
  expectSame(__nv_rcbrt(-inf), -0.0);
  expectSame(__nv_rcbrt(nan), nan);
}

TEST(DoubleNorm, Hypot) {
  auto reference = [](long double x, long double y) { return std::hypot(x, y); };
  expectUlps(__nv_hypot, reference, 1, {-10, 10}, {-10, 10});
  expectUlps(__nv_hypot, reference, 1, {DBL_TRUE_MIN, DBL_MAX, Spread::Exponents},
             {DBL_TRUE_MIN, DBL_MAX, Spread::Exponents});
  expectUlps(__nv_hypot, reference, 1, {1e-320, 1e-300, Spread::Exponents},
             {1e-320, 1e-300, Spread::Exponents});
  expectUlps(__nv_hypot, reference, 1, {1e300, DBL_MAX}, {1e300, DBL_MAX});
  for (double x : {0.0, -0.0, 3.0, inf, -inf, nan})
    for (double y : {0.0, -0.0, -4.0, inf, -inf, nan})
      expectSame(__nv_hypot(x, y), std::hypot(x, y));
}

TEST(DoubleNorm, Rhypot) {
  auto reference = [](long double x, long double y) { return 1 / std::hypot(x, y); };
  expectUlps(__nv_rhypot, reference, 1, {-10, 10}, {-10, 10});
  expectUlps(__nv_rhypot, reference, 1, {1e-307, DBL_MAX, Spread::Exponents},
             {1e-307, DBL_MAX, Spread::Exponents});
  expectSame(__nv_rhypot(0, 0), inf);
  expectSame(__nv_rhypot(nan, -inf), 0);
  expectSame(__nv_rhypot(nan, 0), nan);
  expectSame(__nv_rhypot(DBL_TRUE_MIN, 0), inf);
}

long double root(long double x, long double y, long double z, long double w) {
  return std::sqrt(x * x + y * y + z * z + w * w);
}

TEST(DoubleNorm, ThreeAndFourDimensions) {
  auto three = [](double x, double y) { return __nv_norm3d(x, y, 0.75 * y); };
  auto inverse_three = [](double x, double y) { return __nv_rnorm3d(x, y, 0.75 * y); };
  auto four = [](double x, double y) { return __nv_norm4d(x, 1, y, 0.75 * y); };
  auto inverse_four = [](double x, double y) { return __nv_rnorm4d(x, 1, y, 0.75 * y); };
  auto want3 = [](long double x, long double y) {
    return root(x, y, 0.75 * static_cast<double>(y), 0);
  };
  auto want4 = [](long double x, long double y) {
    return root(x, y, 0.75 * static_cast<double>(y), 1);
  };
  for (double limit : {10.0, 1e-290, 1e150, 1e300}) {
    Interval x = {-limit, limit};
    expectUlps(three, want3, 1, x, x);
    expectUlps(
        inverse_three, [&](long double a, long double b) { return 1 / want3(a, b); }, 1, x, x);
    expectUlps(four, want4, 1, x, x);
    expectUlps(
        inverse_four, [&](long double a, long double b) { return 1 / want4(a, b); }, 1, x, x);
  }
  expectSame(__nv_norm3d(nan, 1, -inf), inf);
  expectSame(__nv_norm4d(nan, 1, 2, 3), nan);
  expectSame(__nv_rnorm3d(0, 0, 0), inf);
  expectSame(__nv_rnorm4d(0, inf, 0, 1), 0);
}

TEST(DoubleNorm, AnyDimension) {
  double values[] = {1, 2, 3, 4, 5, 6, 7};
  EXPECT_LE(ulpError(__nv_norm(7, values), std::sqrt(140.0L)), 1);
  EXPECT_LE(ulpError(__nv_rnorm(7, values), 1 / std::sqrt(140.0L)), 1);
  values[3] = nan;
  expectSame(__nv_norm(7, values), nan);
  values[4] = -inf;
  expectSame(__nv_norm(7, values), inf);
  expectSame(__nv_rnorm(7, values), 0);
  expectSame(__nv_norm(0, values), 0);
}

} // namespace
} // namespace heddle::test

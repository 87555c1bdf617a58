// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Accuracy and special cases of the double exponentials, logarithms and powers. The bounds are
// those of the CUDA C++ Programming Guide, "Mathematical Functions Appendix".
#include "double_accuracy.h"

#include <gtest/gtest.h>

#include <cfloat>
#include <cmath>

extern "C" {
double __nv_exp(double);
double __nv_exp2(double);
double __nv_exp10(double);
double __nv_expm1(double);
double __nv_log(double);
double __nv_log2(double);
double __nv_log10(double);
double __nv_log1p(double);
double __nv_pow(double, double);
double __nv_powi(double, int);
}

namespace heddle::test {
namespace {

constexpr double inf = HUGE_VAL;
const double nan = std::nan("");

TEST(DoubleExp, Exp) {
  auto reference = [](long double x) { return std::exp(x); };
  expectUlps(__nv_exp, reference, 1, {-745.2, 709.9});
  expectUlps(__nv_exp, reference, 1, {-1, 1});
  expectUlps(__nv_exp, reference, 1, {1e-300, 1, Spread::Exponents});
  expectUlps(__nv_exp, reference, 1, {-1e-300, -800, Spread::Exponents});
  expectSame(__nv_exp(inf), inf);
  expectSame(__nv_exp(-inf), 0);
  expectSame(__nv_exp(-0.0), 1);
  expectSame(__nv_exp(1e300), inf);
  expectSame(__nv_exp(-1e300), 0);
  expectSame(__nv_exp(nan), nan);
}

TEST(DoubleExp, Exp2) {
  auto reference = [](long double x) { return std::exp2(x); };
  expectUlps(__nv_exp2, reference, 1, {-1075.5, 1024.5});
  expectUlps(__nv_exp2, reference, 1, {-1, 1});
  for (int n = -1074; n < 1024; ++n)
    expectSame(__nv_exp2(n), std::ldexp(1.0, n));
  expectSame(__nv_exp2(inf), inf);
  expectSame(__nv_exp2(-inf), 0);
  expectSame(__nv_exp2(nan), nan);
}

TEST(DoubleExp, Exp10) {
  auto reference = [](long double x) { return ::exp10l(x); };
  expectUlps(__nv_exp10, reference, 1, {-324, 308.5});
  expectUlps(__nv_exp10, reference, 1, {-1, 1});
  expectSame(__nv_exp10(inf), inf);
  expectSame(__nv_exp10(-inf), 0);
  expectSame(__nv_exp10(3), 1000);
  expectSame(__nv_exp10(nan), nan);
}

TEST(DoubleExp, Expm1) {
  auto reference = [](long double x) { return std::expm1(x); };
  expectUlps(__nv_expm1, reference, 1, {-40, 709.9});
  expectUlps(__nv_expm1, reference, 1, {-1, 1});
  expectUlps(__nv_expm1, reference, 1, {30, 45});
  expectUlps(__nv_expm1, reference, 1, {DBL_TRUE_MIN, 1, Spread::Exponents});
  expectUlps(__nv_expm1, reference, 1, {-DBL_TRUE_MIN, -100, Spread::Exponents});
  expectSame(__nv_expm1(inf), inf);
  expectSame(__nv_expm1(-inf), -1);
  expectSame(__nv_expm1(-0.0), -0.0);
  expectSame(__nv_expm1(nan), nan);
}

TEST(DoubleLog, Log) {
  auto reference = [](long double x) { return std::log(x); };
  expectUlps(__nv_log, reference, 1, {DBL_TRUE_MIN, DBL_MAX, Spread::Exponents});
  expectUlps(__nv_log, reference, 1, {0.5, 2});
  expectUlps(__nv_log, reference, 1, {0.9999, 1.0001});
  expectSame(__nv_log(1), 0);
  expectSame(__nv_log(0), -inf);
  expectSame(__nv_log(-0.0), -inf);
  expectSame(__nv_log(-1), nan);
  expectSame(__nv_log(-inf), nan);
  expectSame(__nv_log(inf), inf);
  expectSame(__nv_log(nan), nan);
}

TEST(DoubleLog, Log2) {
  auto reference = [](long double x) { return std::log2(x); };
  expectUlps(__nv_log2, reference, 1, {DBL_TRUE_MIN, DBL_MAX, Spread::Exponents});
  expectUlps(__nv_log2, reference, 1, {0.5, 2});
  expectUlps(__nv_log2, reference, 1, {0.9999, 1.0001});
  for (int n = -1074; n < 1024; ++n)
    expectSame(__nv_log2(std::ldexp(1.0, n)), n);
  expectSame(__nv_log2(0), -inf);
  expectSame(__nv_log2(-1), nan);
  expectSame(__nv_log2(inf), inf);
}

TEST(DoubleLog, Log10) {
  auto reference = [](long double x) { return std::log10(x); };
  expectUlps(__nv_log10, reference, 1, {DBL_TRUE_MIN, DBL_MAX, Spread::Exponents});
  expectUlps(__nv_log10, reference, 1, {0.5, 2});
  expectUlps(__nv_log10, reference, 1, {0.9999, 1.0001});
  expectSame(__nv_log10(1000), 3);
  expectSame(__nv_log10(0), -inf);
  expectSame(__nv_log10(-1), nan);
  expectSame(__nv_log10(inf), inf);
}

TEST(DoubleLog, Log1p) {
  auto reference = [](long double x) { return std::log1p(x); };
  expectUlps(__nv_log1p, reference, 1, {DBL_TRUE_MIN, DBL_MAX, Spread::Exponents});
  expectUlps(__nv_log1p, reference, 1, {-DBL_TRUE_MIN, -0.9999999999, Spread::Exponents});
  expectUlps(__nv_log1p, reference, 1, {-0.999999, 2});
  expectSame(__nv_log1p(-1), -inf);
  expectSame(__nv_log1p(-1.5), nan);
  expectSame(__nv_log1p(-0.0), -0.0);
  expectSame(__nv_log1p(0.0), 0.0);
  expectSame(__nv_log1p(inf), inf);
  expectSame(__nv_log1p(nan), nan);
}

TEST(DoublePow, Accuracy) {
  auto reference = [](long double x, long double y) { return std::pow(x, y); };
  expectUlps(__nv_pow, reference, 2, {0, 10}, {-10, 10});
  expectUlps(__nv_pow, reference, 2, {0.9, 1.1}, {-5000, 5000});
  expectUlps(__nv_pow, reference, 2, {DBL_TRUE_MIN, DBL_MAX, Spread::Exponents}, {-1.05, 1.05});
  expectUlps(__nv_pow, reference, 2, {1.0000001, 1e300, Spread::Exponents},
             {1e-300, 1e300, Spread::Exponents});
  expectUlps(__nv_pow, reference, 2, {1, 100}, {-170, -100});
}

TEST(DoublePow, SpecialCases) {
  for (double y : {0.0, -0.0, 1.0, -1.0, 2.0, 3.0, -3.0, 0.5, -0.5, 0x1p53 + 2, 0x1p52 + 1, 1e300,
                   -1e300, inf, -inf, nan})
    for (double x : {0.0, -0.0, 1.0, -1.0, 2.0, -2.0, 0.5, -0.5, 1e300, -1e-300, inf, -inf, nan,
                     1 - 0x1p-53, 1 + 0x1p-52, -1 - 0x1p-52}) {
      SCOPED_TRACE(testing::Message() << "pow(" << x << ", " << y << ")");
      EXPECT_LE(ulpError(__nv_pow(x, y), std::pow(static_cast<long double>(x), y)), 2.0);
    }
}

TEST(DoublePow, IntegerPowers) {
  for (int n = -20; n <= 20; ++n)
    for (double x : {2.0, -2.0, 0.5, 3.0, -3.0, 1.1, 0.0, -0.0})
      EXPECT_LE(ulpError(__nv_powi(x, n), std::pow(static_cast<long double>(x), n)), 2.0);
}

} // namespace
} // namespace heddle::test

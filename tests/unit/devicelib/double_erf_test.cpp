// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Accuracy and special cases of the double error functions and the normal distribution. The bounds
// are those of the CUDA C++ Programming Guide, "Mathematical Functions Appendix".
#include "double_accuracy.h"
#include "double_erf_values.h"

#include <gtest/gtest.h>

#include <cfloat>
#include <cmath>

extern "C" {
double __nv_erf(double);
double __nv_erfc(double);
double __nv_erfcx(double);
double __nv_erfinv(double);
double __nv_erfcinv(double);
double __nv_normcdf(double);
double __nv_normcdfinv(double);
}

namespace heddle::test {
namespace {

constexpr double inf = HUGE_VAL;
const double nan = std::nan("");

template <typename Values>
void expectValues(Function1 function, const Values &values, double bound) {
  double worst = 0;
  for (const Value &v : values) {
    double error = ulpError(function(v.x), v.value);
    EXPECT_LE(error, bound) << "at " << v.x;
    worst = std::max(worst, error);
  }
  testing::Test::RecordProperty("ulps", std::to_string(worst));
}

TEST(DoubleErf, Erf) {
  auto reference = [](long double x) { return std::erf(x); };
  expectUlps(__nv_erf, reference, 2, {-1.5, 1.5});
  expectUlps(__nv_erf, reference, 2, {-7, 7});
  expectUlps(__nv_erf, reference, 2, {DBL_TRUE_MIN, 1, Spread::Exponents});
  expectSame(__nv_erf(-0.0), -0.0);
  expectSame(__nv_erf(inf), 1);
  expectSame(__nv_erf(-inf), -1);
  expectSame(__nv_erf(nan), nan);
}

TEST(DoubleErf, Erfc) {
  auto reference = [](long double x) { return std::erfc(x); };
  expectUlps(__nv_erfc, reference, 5, {-6, 6});
  expectUlps(__nv_erfc, reference, 5, {0, 27.3});
  expectUlps(__nv_erfc, reference, 5, {DBL_TRUE_MIN, 1, Spread::Exponents});
  expectSame(__nv_erfc(0), 1);
  expectSame(__nv_erfc(-inf), 2);
  expectSame(__nv_erfc(inf), 0);
  expectSame(__nv_erfc(nan), nan);
}

TEST(DoubleErf, Erfcx) {
  expectValues(__nv_erfcx, erfcx_values, 4);
  expectSame(__nv_erfcx(0), 1);
  expectSame(__nv_erfcx(inf), 0);
  expectSame(__nv_erfcx(-inf), inf);
  expectSame(__nv_erfcx(nan), nan);
  EXPECT_LE(ulpError(__nv_erfcx(DBL_MAX), 0.56418958354775628695L / DBL_MAX), 4);
}

TEST(DoubleErf, Erfinv) {
  expectValues(__nv_erfinv, erfinv_values, 5);
  // The inverse undoes erf, up to how far erf spreads neighbouring numbers.
  expectUlps([](double x) { return __nv_erf(__nv_erfinv(x)); }, [](long double x) { return x; }, 4,
             {-0.99, 0.99});
  expectSame(__nv_erfinv(-0.0), -0.0);
  expectSame(__nv_erfinv(1), inf);
  expectSame(__nv_erfinv(-1), -inf);
  expectSame(__nv_erfinv(1.5), nan);
  expectSame(__nv_erfinv(nan), nan);
}

TEST(DoubleErf, Erfcinv) {
  expectValues(__nv_erfcinv, erfcinv_values, 6);
  expectSame(__nv_erfcinv(0), inf);
  expectSame(__nv_erfcinv(2), -inf);
  expectSame(__nv_erfcinv(1), 0);
  expectSame(__nv_erfcinv(-0.1), nan);
  expectSame(__nv_erfcinv(2.1), nan);
  expectSame(__nv_erfcinv(nan), nan);
}

TEST(DoubleNormal, Cdf) {
  expectValues(__nv_normcdf, normcdf_values, 5);
  expectSame(__nv_normcdf(0), 0.5);
  expectSame(__nv_normcdf(inf), 1);
  expectSame(__nv_normcdf(-inf), 0);
  expectSame(__nv_normcdf(nan), nan);
}

TEST(DoubleNormal, CdfInverse) {
  expectValues(__nv_normcdfinv, normcdfinv_values, 7);
  expectSame(__nv_normcdfinv(0), -inf);
  expectSame(__nv_normcdfinv(1), inf);
  expectSame(__nv_normcdfinv(0.5), 0);
  expectSame(__nv_normcdfinv(-1), nan);
  expectSame(__nv_normcdfinv(nan), nan);
}

} // namespace
} // namespace heddle::test

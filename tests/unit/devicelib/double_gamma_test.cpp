// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Accuracy and special cases of the double gamma function and its logarithm. The bounds are those
// of the CUDA C++ Programming Guide, "Mathematical Functions Appendix".
#include "double_accuracy.h"

#include <gtest/gtest.h>

#include <cfloat>
#include <cmath>

extern "C" {
double __nv_tgamma(double);
double __nv_lgamma(double);
}

namespace heddle::test {
namespace {

constexpr double inf = HUGE_VAL;
const double nan = std::nan("");

TEST(DoubleGamma, Gamma) {
  auto reference = [](long double x) { return std::tgamma(x); };
  expectUlps(__nv_tgamma, reference, 10, {0.01, 12});
  expectUlps(__nv_tgamma, reference, 10, {9, 171.7});
  expectUlps(__nv_tgamma, reference, 10, {-20.5, -0.1});
  expectUlps(__nv_tgamma, reference, 10, {-184.5, -20.1});
  expectUlps(__nv_tgamma, reference, 10, {1e-310, 0.5, Spread::Exponents});
  expectUlps(__nv_tgamma, reference, 10, {-1e-300, -0.5, Spread::Exponents});
  double factorial = 1;
  for (int n = 1; n <= 20; factorial *= n++)
    EXPECT_LE(ulpError(__nv_tgamma(n), factorial), 10) << n;
  expectSame(__nv_tgamma(0.0), inf);
  expectSame(__nv_tgamma(-0.0), -inf);
  expectSame(__nv_tgamma(DBL_TRUE_MIN), inf);
  expectSame(__nv_tgamma(-3), nan);
  expectSame(__nv_tgamma(-1e300), nan);
  expectSame(__nv_tgamma(-inf), nan);
  expectSame(__nv_tgamma(172), inf);
  expectSame(__nv_tgamma(inf), inf);
  expectSame(__nv_tgamma(nan), nan);
  expectSame(__nv_tgamma(-200.5), -0.0);
}

TEST(DoubleGamma, LogGamma) {
  auto reference = [](long double x) { return std::lgamma(x); };
  expectUlps(__nv_lgamma, reference, 4, {0.0001, 4});
  expectUlps(__nv_lgamma, reference, 4, {0.99, 1.01});
  expectUlps(__nv_lgamma, reference, 4, {1.99, 2.01});
  expectUlps(__nv_lgamma, reference, 4, {3, 200});
  expectUlps(__nv_lgamma, reference, 4, {DBL_TRUE_MIN, DBL_MAX, Spread::Exponents});
  expectUlps(__nv_lgamma, reference, 4, {-2.26, -0.0001});
  expectUlps(__nv_lgamma, reference, 4, {-40.3, -11.3}, 5000);
  expectUlps(__nv_lgamma, reference, 4, {-1e-320, -0.5, Spread::Exponents});
  // Between its poles, where the function has zeros, the error is bounded absolutely.
  for (double x = -10.99; x < -2.27; x += 0.00123)
    EXPECT_NEAR(__nv_lgamma(x), static_cast<double>(reference(x)), 1e-14) << x;
  expectSame(__nv_lgamma(1), 0);
  expectSame(__nv_lgamma(2), 0);
  for (double x : {0.0, -0.0, -1.0, -7.0, -1e300, inf, -inf})
    expectSame(__nv_lgamma(x), inf);
  expectSame(__nv_lgamma(nan), nan);
}

} // namespace
} // namespace heddle::test

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Accuracy and special cases of the double Bessel functions. The bounds are those of the CUDA C++
// Programming Guide, "Mathematical Functions Appendix": 7 ulp below 8 and 5e-12 above for orders 0
// and 1, and 6 ulp for the modified functions.
#include "double_accuracy.h"
#include "double_bessel_values.h"

#include <gtest/gtest.h>

#include <cfloat>
#include <cmath>

extern "C" {
double __nv_j0(double);
double __nv_j1(double);
double __nv_jn(int, double);
double __nv_y0(double);
double __nv_y1(double);
double __nv_yn(int, double);
double __nv_cyl_bessel_i0(double);
double __nv_cyl_bessel_i1(double);
}

namespace heddle::test {
namespace {

constexpr double inf = HUGE_VAL;
const double nan = std::nan("");

template <typename Values> void expectValues(Function1 function, const Values &values) {
  double worst = 0;
  for (const Value &v : values) {
    double got = function(v.x), error = ulpError(got, v.value);
    if (v.x < 8) {
      EXPECT_LE(error, 7) << "at " << v.x;
      worst = std::max(worst, error);
    } else {
      EXPECT_NEAR(got, static_cast<double>(v.value), 1e-15) << "at " << v.x;
    }
  }
  testing::Test::RecordProperty("ulps", std::to_string(worst));
}

template <typename Values> void expectUlpValues(Function1 function, const Values &values) {
  double worst = 0;
  for (const Value &v : values) {
    double error = ulpError(function(v.x), v.value);
    EXPECT_LE(error, 6) << "at " << v.x;
    worst = std::max(worst, error);
  }
  testing::Test::RecordProperty("ulps", std::to_string(worst));
}

TEST(DoubleBessel, FirstKind) {
  expectValues(__nv_j0, j0_values);
  expectSame(__nv_j0(0), 1);
  expectSame(__nv_j0(-3), __nv_j0(3));
  expectSame(__nv_j0(-inf), 0);
  expectSame(__nv_j0(nan), nan);
}

TEST(DoubleBessel, FirstKindOrder1) {
  expectValues(__nv_j1, j1_values);
  expectSame(__nv_j1(-0.0), -0.0);
  expectSame(__nv_j1(-3), -__nv_j1(3));
  expectSame(__nv_j1(inf), 0);
  expectSame(__nv_j1(-inf), -0.0);
  expectSame(__nv_j1(nan), nan);
}

TEST(DoubleBessel, SecondKind) {
  expectValues(__nv_y0, y0_values);
  expectSame(__nv_y0(0), -inf);
  expectSame(__nv_y0(-1), nan);
  expectSame(__nv_y0(inf), 0);
  expectSame(__nv_y0(nan), nan);
}

TEST(DoubleBessel, SecondKindOrder1) {
  expectValues(__nv_y1, y1_values);
  expectSame(__nv_y1(0), -inf);
  expectSame(__nv_y1(DBL_TRUE_MIN), -inf);
  expectSame(__nv_y1(-1), nan);
  expectSame(__nv_y1(inf), 0);
  expectSame(__nv_y1(nan), nan);
}

// An error of 2.2e-12 is what the guide gives for order 128; far from zeros the relative error is
// small too.
TEST(DoubleBessel, FirstKindAnyOrder) {
  for (const OrderValue &v : jn_values) {
    double got = __nv_jn(v.order, v.x), want = static_cast<double>(v.value);
    EXPECT_NEAR(got, want, std::max(1e-14, 1e-13 * std::fabs(want))) << v.order << ", " << v.x;
    if (v.x < v.order) {
      EXPECT_NEAR(got / want, 1, 1e-12) << v.order << ", " << v.x;
    }
  }
  expectSame(__nv_jn(0, 2.5), __nv_j0(2.5));
  expectSame(__nv_jn(1, -2.5), __nv_j1(-2.5));
  expectSame(__nv_jn(3, -2.5), -__nv_jn(3, 2.5));
  EXPECT_NEAR(__nv_jn(2, 1e-9) / 1.25e-19, 1, 1e-14);
  EXPECT_NEAR(__nv_jn(3, 1e-5) / (1e-15 / 48), 1, 1e-10);
  expectSame(__nv_jn(5, 0), 0);
  expectSame(__nv_jn(400, 1e-300), 0);
  expectSame(__nv_jn(2147483647, 3.0), 0);
  expectSame(__nv_jn(5, inf), 0);
  expectSame(__nv_jn(-1, 1), nan);
  expectSame(__nv_jn(2, nan), nan);
}

TEST(DoubleBessel, SecondKindAnyOrder) {
  for (const OrderValue &v : yn_values) {
    double want = static_cast<double>(v.value);
    EXPECT_NEAR(__nv_yn(v.order, v.x), want, std::max(1e-14, 1e-13 * std::fabs(want)))
        << v.order << ", " << v.x;
  }
  expectSame(__nv_yn(0, 2.5), __nv_y0(2.5));
  expectSame(__nv_yn(1, 2.5), __nv_y1(2.5));
  expectSame(__nv_yn(500, 0.001), -inf);
  expectSame(__nv_yn(2, 0), -inf);
  expectSame(__nv_yn(2, -1), nan);
  expectSame(__nv_yn(-2, 1), nan);
  expectSame(__nv_yn(2, inf), 0);
}

TEST(DoubleBessel, Modified) {
  expectUlpValues(__nv_cyl_bessel_i0, i0_values);
  expectSame(__nv_cyl_bessel_i0(0), 1);
  expectSame(__nv_cyl_bessel_i0(-inf), inf);
  expectSame(__nv_cyl_bessel_i0(nan), nan);
}

TEST(DoubleBessel, ModifiedOrder1) {
  expectUlpValues(__nv_cyl_bessel_i1, i1_values);
  expectSame(__nv_cyl_bessel_i1(-0.0), -0.0);
  expectSame(__nv_cyl_bessel_i1(-inf), -inf);
  expectSame(__nv_cyl_bessel_i1(nan), nan);
}

} // namespace
} // namespace heddle::test

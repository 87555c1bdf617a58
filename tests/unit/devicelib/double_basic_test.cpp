// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The exact double functions (rounding, comparing, taking apart, remainders) against those of the C
// library, over random bit patterns and edge values.
#include "double_accuracy.h"

#include <gtest/gtest.h>

#include <bit>
#include <cfloat>
#include <climits>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

extern "C" {
double __nv_fabs(double);
double __nv_copysign(double, double);
double __nv_fma(double, double, double);
double __nv_floor(double);
double __nv_ceil(double);
double __nv_trunc(double);
double __nv_rint(double);
double __nv_nearbyint(double);
double __nv_round(double);
long long __nv_llrint(double);
long long __nv_llround(double);
double __nv_fmax(double, double);
double __nv_fmin(double, double);
double __nv_fdim(double, double);
int __nv_isnand(double);
int __nv_isinfd(double);
int __nv_isfinited(double);
int __nv_signbitd(double);
double __nv_frexp(double, int *);
double __nv_ldexp(double, int);
double __nv_scalbn(double, int);
int __nv_ilogb(double);
double __nv_logb(double);
double __nv_modf(double, double *);
double __nv_nextafter(double, double);
double __nv_nan(const signed char *);
double __nv_rcp64h(double);
double __nv_rsqrt64h(double);
double __nv_fmod(double, double);
double __nv_remainder(double, double);
double __nv_remquo(double, double, int *);
}

namespace heddle::test {
namespace {

constexpr double inf = HUGE_VAL;
const double nan = std::nan("");

// Edge values, random bit patterns, and random numbers of everyday size.
std::vector<double> samples(int count) {
  std::vector<double> s = {0.0,
                           -0.0,
                           0.5,
                           -0.5,
                           1.0,
                           -1.0,
                           1.5,
                           2.5,
                           -2.5,
                           0x1.fffffffffffffp-2,
                           -0x1.fffffffffffffp-2,
                           0x1p52 - 0.5,
                           0x1p52 + 1,
                           -0x1p53,
                           0x1p62,
                           0x1p63,
                           -0x1p63,
                           DBL_MAX,
                           -DBL_MAX,
                           DBL_MIN,
                           DBL_TRUE_MIN,
                           -DBL_TRUE_MIN,
                           0x1.fffffffffffffp-1023,
                           inf,
                           -inf,
                           nan};
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> everyday(-1000, 1000);
  for (int i = 0; i < count; ++i) {
    s.push_back(std::bit_cast<double>(random()));
    s.push_back(everyday(random));
    s.push_back(std::floor(everyday(random)) * 0.5);
  }
  return s;
}

bool same(double a, double b) {
  return std::isnan(a) ? std::isnan(b) : std::bit_cast<uint64_t>(a) == std::bit_cast<uint64_t>(b);
}

TEST(DoubleBasic, Rounding) {
  for (double x : samples(30000)) {
    EXPECT_TRUE(same(__nv_fabs(x), std::fabs(x))) << x;
    EXPECT_TRUE(same(__nv_floor(x), std::floor(x))) << x;
    EXPECT_TRUE(same(__nv_ceil(x), std::ceil(x))) << x;
    EXPECT_TRUE(same(__nv_trunc(x), std::trunc(x))) << x;
    EXPECT_TRUE(same(__nv_rint(x), std::rint(x))) << x;
    EXPECT_TRUE(same(__nv_nearbyint(x), std::rint(x))) << x;
    EXPECT_TRUE(same(__nv_round(x), std::round(x))) << x;
    if (std::fabs(x) < 0x1p63) {
      EXPECT_EQ(__nv_llrint(x), std::llrint(x)) << x;
      EXPECT_EQ(__nv_llround(x), std::llround(x)) << x;
    }
  }
  EXPECT_EQ(__nv_llrint(1e19), LLONG_MAX);
  EXPECT_EQ(__nv_llround(inf), LLONG_MAX);
  EXPECT_EQ(__nv_llrint(-1e19), LLONG_MIN);
  EXPECT_EQ(__nv_llround(-0x1p63), LLONG_MIN);
  EXPECT_EQ(__nv_llrint(nan), LLONG_MIN);
}

TEST(DoubleBasic, Comparing) {
  std::vector<double> s = samples(2000);
  for (size_t i = 0; i < s.size(); ++i)
    for (size_t j : {(i * 7 + 1) % s.size(), i % 26, (i + 1) % 26}) {
      double x = s[i], y = s[j];
      SCOPED_TRACE(testing::Message() << x << ", " << y);
      EXPECT_TRUE(same(__nv_copysign(x, y), std::copysign(x, y)));
      EXPECT_TRUE(same(__nv_fdim(x, y), std::fdim(x, y)));
      EXPECT_TRUE(same(__nv_nextafter(x, y), std::nextafter(x, y)));
      EXPECT_TRUE(same(__nv_fma(x, y, 1.0), std::fma(x, y, 1.0)));
      if (x != 0 || y != 0) { // which zero is less, kernels are told by define_arithmetic.h
        EXPECT_TRUE(same(__nv_fmax(x, y), std::fmax(x, y)));
        EXPECT_TRUE(same(__nv_fmin(x, y), std::fmin(x, y)));
      }
    }
}

TEST(DoubleBasic, Classifying) {
  for (double x : samples(1000)) {
    EXPECT_EQ(__nv_isnand(x) != 0, std::isnan(x));
    EXPECT_EQ(__nv_isinfd(x) != 0, std::isinf(x));
    EXPECT_EQ(__nv_isfinited(x) != 0, std::isfinite(x));
    EXPECT_EQ(__nv_signbitd(x) != 0, std::signbit(x));
  }
}

TEST(DoubleBasic, TakingApart) {
  for (double x : samples(30000)) {
    SCOPED_TRACE(x);
    int got = 0, want = 0;
    double whole, want_whole;
    EXPECT_TRUE(same(__nv_frexp(x, &got), std::frexp(x, &want)));
    if (std::isfinite(x)) {
      EXPECT_EQ(got, want);
    }
    EXPECT_TRUE(same(__nv_modf(x, &whole), std::modf(x, &want_whole)));
    EXPECT_TRUE(same(whole, want_whole));
    EXPECT_TRUE(same(__nv_logb(x), std::logb(x)));
    if (std::isfinite(x) && x != 0) {
      EXPECT_EQ(__nv_ilogb(x), std::ilogb(x));
    }
  }
  EXPECT_EQ(__nv_ilogb(0.0), INT_MIN);
  EXPECT_EQ(__nv_ilogb(-inf), INT_MAX);
  EXPECT_EQ(__nv_ilogb(nan), INT_MIN);
}

TEST(DoubleBasic, ScalingRoundsOnce) {
  std::mt19937_64 random(3);
  for (double x : samples(20000))
    for (int n : {0, 1, -1, static_cast<int>(random() % 4400) - 2200, -1060, INT_MAX, INT_MIN}) {
      EXPECT_TRUE(same(__nv_ldexp(x, n), std::ldexp(x, n))) << x << ", " << n;
      EXPECT_TRUE(same(__nv_scalbn(x, n), std::ldexp(x, n))) << x << ", " << n;
    }
}

uint64_t nanBits(const char *tag) {
  return std::bit_cast<uint64_t>(__nv_nan(reinterpret_cast<const signed char *>(tag)));
}

TEST(DoubleBasic, NanCarriesItsTag) {
  EXPECT_EQ(nanBits(""), 0x7ff8000000000000u);
  EXPECT_EQ(nanBits("123"), 0x7ff8000000000000u + 123);
  EXPECT_EQ(nanBits("0x1aF"), 0x7ff8000000000000u + 0x1af);
  EXPECT_EQ(nanBits("017"), 0x7ff8000000000000u + 15);
  EXPECT_EQ(nanBits("12z"), 0x7ff8000000000000u);
}

TEST(DoubleBasic, ReciprocalOfTheHighWord) {
  for (double x : {1.0, 3.0, -7.5, 1e300, 1e-300}) {
    double r = __nv_rcp64h(x);
    EXPECT_NEAR(r * x, 1, 0x1p-19);
    EXPECT_EQ(std::bit_cast<uint64_t>(r) & 0xffffffff, 0u);
  }
  expectSame(__nv_rcp64h(0.0), inf);
  expectSame(__nv_rcp64h(-inf), -0.0);
  expectSame(__nv_rcp64h(nan), nan);
}

TEST(DoubleBasic, ReciprocalSquareRootOfTheHighWord) {
  for (double x : {1.0, 3.0, 7.5, 1e300, 1e-300}) {
    double r = __nv_rsqrt64h(x);
    EXPECT_NEAR(r * r * x, 1, 0x1p-18);
    EXPECT_EQ(std::bit_cast<uint64_t>(r) & 0xffffffff, 0u);
  }
  expectSame(__nv_rsqrt64h(0.0), inf);
  expectSame(__nv_rsqrt64h(-0x1p-1040), -inf);
  expectSame(__nv_rsqrt64h(inf), 0.0);
  expectSame(__nv_rsqrt64h(nan), nan);
  EXPECT_TRUE(std::isnan(__nv_rsqrt64h(-1.0)));
}

TEST(DoubleRemainder, ExactForAllQuotients) {
  std::vector<double> s = samples(8000);
  for (size_t i = 0; i < s.size(); ++i)
    for (size_t j : {(i * 5 + 2) % s.size(), (i * 3 + 1) % s.size(), i % 26}) {
      double x = s[i], y = s[j];
      SCOPED_TRACE(testing::Message() << x << ", " << y);
      EXPECT_TRUE(same(__nv_fmod(x, y), std::fmod(x, y)));
      int got = 0, want = 0;
      // Some C libraries give a zero of the wrong sign for remainder, but not for remquo.
      double remainder = std::remquo(x, y, &want);
      EXPECT_TRUE(same(__nv_remainder(x, y), remainder));
      EXPECT_TRUE(same(__nv_remquo(x, y, &got), remainder));
      if (std::isfinite(x) && y != 0 && !std::isnan(y)) {
        EXPECT_EQ(got & 7, want & 7);
        EXPECT_TRUE((got >= 0) == (want >= 0) || got == 0 || want == 0);
      }
    }
}

} // namespace
} // namespace heddle::test

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "double_accuracy.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <string>

namespace heddle::test {
namespace {

class Sampler {
public:
  explicit Sampler(Interval interval) : interval_(interval) {}

  double operator()(int index, std::mt19937_64 &random) const {
    if (index < 2)
      return index == 0 ? interval_.low : interval_.high;
    double t = std::uniform_real_distribution<double>(0.0, 1.0)(random);
    if (interval_.spread == Spread::Linear)
      return interval_.low + t * (interval_.high - interval_.low);
    double low = std::log2(std::fabs(interval_.low)), high = std::log2(std::fabs(interval_.high));
    return std::copysign(std::exp2(low + t * (high - low)), interval_.low);
  }

private:
  Interval interval_;
};

void report(double worst, double bound, const std::string &where, Interval x) {
  testing::Test::RecordProperty("ulps_" + testing::PrintToString(x.low) + "_" +
                                    testing::PrintToString(x.high),
                                std::to_string(worst) + " at " + where);
  EXPECT_LE(worst, bound) << "at " << where;
}

} // namespace

double ulpError(double got, long double want) {
  constexpr double none = std::numeric_limits<double>::infinity();
  // From here a result rounds to infinity.
  constexpr long double overflow = 0x1.fffffffffffff8p1023L;
  if (std::isnan(want) || std::isnan(got))
    return std::isnan(want) && std::isnan(got) ? 0.0 : none;
  if (std::fabs(want) >= overflow || std::isinf(got)) {
    bool same = std::isinf(got) && std::signbit(got) == std::signbit(want);
    return same && std::fabs(want) >= overflow * 0.9999999999999998L ? 0.0 : none;
  }
  if (want == 0 && got == 0)
    return std::signbit(got) == std::signbit(want) ? 0.0 : none;
  int exponent = std::max(want == 0 ? -1022 : std::ilogb(want), -1022);
  return static_cast<double>(std::ldexp(std::fabs(got - want), 52 - exponent));
}

void expectUlps(Function1 function, const Reference1 &reference, double bound, Interval x,
                int count) {
  std::mt19937_64 random(12345);
  Sampler sample(x);
  double worst = -1, worst_x = 0;
  for (int i = 0; i < count; ++i) {
    double a = sample(i, random);
    double error = ulpError(function(a), reference(a));
    if (error > worst)
      worst = error, worst_x = a;
  }
  report(worst, bound, testing::PrintToString(worst_x), x);
}

void expectUlps(Function2 function, const Reference2 &reference, double bound, Interval x,
                Interval y, int count) {
  std::mt19937_64 random(12345);
  Sampler sample_x(x), sample_y(y);
  double worst = -1, worst_x = 0, worst_y = 0;
  for (int i = 0; i < count; ++i) {
    double a = sample_x(i, random), b = sample_y(i < 4 ? i / 2 : i, random);
    double error = ulpError(function(a, b), reference(a, b));
    if (error > worst)
      worst = error, worst_x = a, worst_y = b;
  }
  report(worst, bound, testing::PrintToString(worst_x) + ", " + testing::PrintToString(worst_y), x);
}

void expectSame(double got, double want) {
  EXPECT_EQ(ulpError(got, want), 0.0) << "got " << got << ", want " << want;
}

} // namespace heddle::test

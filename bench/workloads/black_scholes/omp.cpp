// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Strips of options, so that exponentials and logarithms of many can be taken at once by glibc's
// vector mathematics, libmvec. It is called by the names that the x86 vector ABI gives its
// functions for eight floats (AVX2); a compiler does the same in a plain loop with
// -fveclib=libmvec.
#include "problem.h"
#include <algorithm>
#include <cstring>

typedef float Eight __attribute__((vector_size(32)));
extern "C" Eight _ZGVdN8v_expf(Eight);
extern "C" Eight _ZGVdN8v_logf(Eight);

constexpr std::size_t strip = 512;
using Strip = float[strip];

template <Eight function(Eight)> static void apply(Strip &values) {
  for (std::size_t i = 0; i < strip; i += 8) {
    Eight v;
    std::memcpy(&v, values + i, sizeof v);
    v = function(v);
    std::memcpy(values + i, &v, sizeof v);
  }
}

/// The cumulative normal distribution at d; exponential: exp(-d^2 / 2).
static float cumulativeNormal(float d, float exponential) {
  using namespace black_scholes;
  const float k = 1 / (1 + slope * std::fabs(d));
  const float tail =
      densityAtZero * exponential * (k * (c1 + k * (c2 + k * (c3 + k * (c4 + k * c5)))));
  return d > 0 ? 1 - tail : tail;
}

/// Prices up to `strip` options.
static void priceStrip(float *calls, float *puts, const float *prices, const float *strikes,
                       const float *years, std::size_t count) {
  using namespace black_scholes;
  alignas(64) Strip logs = {}, discounts = {}, d1 = {}, d2 = {}, exp1 = {}, exp2 = {};
  for (std::size_t i = 0; i < count; ++i) {
    logs[i] = prices[i] / strikes[i];
    discounts[i] = -rate * years[i];
  }
  apply<_ZGVdN8v_logf>(logs);
  apply<_ZGVdN8v_expf>(discounts);
#pragma omp simd
  for (std::size_t i = 0; i < count; ++i) {
    // Of what cannot be negative the compiler takes the root without asking for errno.
    const float deviation = volatility * std::sqrt(std::fabs(years[i]));
    d1[i] = (logs[i] + (rate + 0.5f * volatility * volatility) * years[i]) / deviation;
    d2[i] = d1[i] - deviation;
    exp1[i] = -0.5f * d1[i] * d1[i];
    exp2[i] = -0.5f * d2[i] * d2[i];
  }
  apply<_ZGVdN8v_expf>(exp1);
  apply<_ZGVdN8v_expf>(exp2);
#pragma omp simd
  for (std::size_t i = 0; i < count; ++i) {
    const float n1 = cumulativeNormal(d1[i], exp1[i]), n2 = cumulativeNormal(d2[i], exp2[i]);
    const float discounted = strikes[i] * discounts[i];
    calls[i] = prices[i] * n1 - discounted * n2;
    puts[i] = discounted * (1 - n2) - prices[i] * (1 - n1);
  }
}

int main(int argc, char **argv) {
  const bench::Options options(argc, argv);
  const black_scholes::Problem problem(options);
  const std::size_t n = problem.n;
  const float *prices = problem.prices.data(), *strikes = problem.strikes.data();
  const float *years = problem.years.data();
  bench::Buffer<float> calls(n), puts(n);

  return bench::measure(
      options, black_scholes::name, problem.bytes(), problem.flops(),
      [&] {
#pragma omp parallel for
        for (std::size_t i = 0; i < n; i += strip)
          priceStrip(&calls[i], &puts[i], prices + i, strikes + i, years + i,
                     std::min(strip, n - i));
      },
      [&] { return problem.check(calls, puts); });
}

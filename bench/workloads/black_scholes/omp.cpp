// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -fveclib=libmvec -fno-math-errno
// With glibc's vector mathematics for expf and logf; sqrtf has a vector form if nobody asks for
// errno.
#include "problem.h"

static float cumulativeNormal(float d) {
  using namespace black_scholes;
  const float k = 1 / (1 + slope * std::fabs(d));
  const float tail = densityAtZero * std::exp(-0.5f * d * d) *
                     (k * (c1 + k * (c2 + k * (c3 + k * (c4 + k * c5)))));
  return d > 0 ? 1 - tail : tail;
}

int main(int argc, char **argv) {
  using namespace black_scholes;
  const bench::Options options(argc, argv);
  const Problem problem(options);
  const std::size_t n = problem.n;
  const float *prices = problem.prices.data(), *strikes = problem.strikes.data();
  const float *years = problem.years.data();
  bench::Buffer<float> call_results(n), put_results(n);
  float *calls = call_results.data(), *puts = put_results.data();

  return bench::measure(
      options, name, problem.bytes(), problem.flops(),
      [&] {
#pragma omp parallel for simd
        for (std::size_t i = 0; i < n; ++i) {
          const float price = prices[i], strike = strikes[i], t = years[i];
          const float deviation = volatility * std::sqrt(t);
          const float d1 =
              (std::log(price / strike) + (rate + 0.5f * volatility * volatility) * t) / deviation;
          const float n1 = cumulativeNormal(d1), n2 = cumulativeNormal(d1 - deviation);
          const float discounted = strike * std::exp(-rate * t);
          calls[i] = price * n1 - discounted * n2;
          puts[i] = discounted * (1 - n2) - price * (1 - n1);
        }
      },
      [&] { return problem.check(call_results, put_results); });
}

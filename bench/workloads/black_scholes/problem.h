// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prices of European options by the formula of Black and Scholes: one logarithm, three exponentials
// and a square root for each option, and nothing shared between options.
#pragma once

#include "common/data.h"
#include "common/measure.h"

namespace black_scholes {

constexpr const char *name = "black_scholes";
constexpr float rate = 0.02f;       // interest without risk, a year
constexpr float volatility = 0.30f; // of the stock, a year

// The cumulative normal distribution by formula 26.2.17 of Abramowitz and Stegun: with
// k = 1 / (1 + slope |d|) and the density n(d), N(-|d|) = n(d) (k c1 + k^2 c2 + ... + k^5 c5).
constexpr float slope = 0.2316419f, c1 = 0.319381530f, c2 = -0.356563782f, c3 = 1.781477937f,
                c4 = -1.821255978f, c5 = 1.330274429f, densityAtZero = 0.3989422804f;

struct Problem {
  std::size_t n;
  bench::Buffer<float> prices, strikes, years; // of the stock; agreed; until it is due

  explicit Problem(const bench::Options &options)
      : n(options.small ? 100'003 : 1 << 22), prices(n), strikes(n), years(n) {
    for (std::size_t i = 0; i < n; ++i) {
      prices[i] = 10 + 90 * bench::randomUnit(3 * i);
      strikes[i] = 10 + 90 * bench::randomUnit(3 * i + 1);
      years[i] = 0.25f + 5 * bench::randomUnit(3 * i + 2);
    }
  }

  double bytes() const { return 5.0 * sizeof(float) * double(n); }
  double flops() const { return 0; } // how many an exponential has is not agreed

  std::string check(const bench::Buffer<float> &calls, const bench::Buffer<float> &puts) const {
    for (std::size_t i = 0; i < n; ++i) {
      const double price = prices[i], strike = strikes[i], t = years[i];
      const double deviation = volatility * std::sqrt(t);
      const double d1 =
          (std::log(price / strike) + (rate + 0.5 * volatility * volatility) * t) / deviation;
      const double discounted = strike * std::exp(-rate * t);
      const double call = price * distribution(d1) - discounted * distribution(d1 - deviation);
      const double put = call - price + discounted; // put-call parity
      // The formula above is right to 7.5e-8 of a price of up to 100; the rest is float's rounding.
      if (!(std::fabs(calls[i] - call) <= 1e-4))
        return bench::wrong("call " + std::to_string(i), calls[i], call);
      if (!(std::fabs(puts[i] - put) <= 1e-4))
        return bench::wrong("put " + std::to_string(i), puts[i], put);
    }
    return "";
  }

private:
  static double distribution(double d) { return 0.5 * std::erfc(-d * std::sqrt(0.5)); }
};

} // namespace black_scholes

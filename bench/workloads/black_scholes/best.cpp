// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Vector polynomials for the logarithm and the exponential, no more precise than the task needs,
// and a formula with less of them: since price n(d1) = discounted strike n(d2), one density serves
// both sides, and parity between puts and calls gives the put. The prices are written past the
// caches.
#include "common/stream.h"
#include "problem.h"

using bench::Floats, bench::Ints, bench::splat;

/// 2^x for -126 < x < 128; right to 1e-7. Interpolates at Chebyshev's points.
static Floats exp2(Floats x) {
  const Floats whole = __builtin_elementwise_roundeven(x), f = x - whole;
  Floats p = splat(0.00133908634f);
  p = p * f + 0.00967603192f;
  p = p * f + 0.0555035711f;
  p = p * f + 0.240221075f;
  p = p * f + 0.693147188f;
  p = p * f + 1.00000008f;
  const Ints exponent = __builtin_convertvector(whole, Ints) << 23;
  return __builtin_bit_cast(Floats, __builtin_bit_cast(Ints, p) + exponent);
}

/// The natural logarithm of normal numbers; right to 1.3e-7 near 1. With x = 2^e (1 + f) and 1 + f
/// between sqrt(1/2) and sqrt(2), log(1 + f) = f + f^2 p(f).
static Floats log(Floats x) {
  constexpr int rootOfHalf = 0x3F3504F3;
  const Ints bits = __builtin_bit_cast(Ints, x);
  const Ints exponent = (bits - rootOfHalf) >> 23;
  const Floats f = __builtin_bit_cast(Floats, bits - (exponent << 23)) - 1.0f;
  Floats p = splat(-0.101885865f);
  p = p * f + 0.15984096f;
  p = p * f - 0.171323873f;
  p = p * f + 0.199290571f;
  p = p * f - 0.249824512f;
  p = p * f + 0.333341136f;
  p = p * f - 0.500000912f;
  return __builtin_convertvector(exponent, Floats) * 0.693147181f + (p * (f * f) + f);
}

/// N(-|d|) / n(d).
static Floats tailOverDensity(Floats k) {
  using namespace black_scholes;
  return k * (c1 + k * (c2 + k * (c3 + k * (c4 + k * c5))));
}

static Floats absolute(Floats x) { return __builtin_elementwise_abs(x); }

struct Prices {
  Floats call, put;
};

static Prices priceOptions(Floats price, Floats strike, Floats t) {
  using namespace black_scholes;
  constexpr float log2e = 1.44269504f;
  const Floats deviation = volatility * __builtin_elementwise_sqrt(t);
  const Floats inverse = 1.0f / (strike * deviation); // one division for both
  const Floats ratio = price * deviation * inverse;
  const Floats d1 = (log(ratio) + (rate + 0.5f * volatility * volatility) * t) * (strike * inverse);
  const Floats d2 = d1 - deviation;
  const Floats discounted = strike * exp2((-rate * log2e) * t);
  const Floats exponent = __builtin_elementwise_max((-0.5f * log2e) * d1 * d1, splat(-126.0f));
  const Floats density = densityAtZero * price * exp2(exponent);
  const Floats slope1 = 1.0f + slope * absolute(d1), slope2 = 1.0f + slope * absolute(d2);
  const Floats inverse_slopes = 1.0f / (slope1 * slope2);
  const Floats tail1 = density * tailOverDensity(slope2 * inverse_slopes);
  const Floats tail2 = density * tailOverDensity(slope1 * inverse_slopes);
  const Floats call =
      (d1 > 0.0f ? price - tail1 : tail1) - (d2 > 0.0f ? discounted - tail2 : tail2);
  return {call, call - price + discounted};
}

int main(int argc, char **argv) {
  using bench::lanes, bench::load;
  const bench::Options options(argc, argv);
  const black_scholes::Problem problem(options);
  const std::size_t n = problem.n, whole = n / lanes * lanes;
  const float *prices = problem.prices.data(), *strikes = problem.strikes.data();
  const float *years = problem.years.data();
  bench::Buffer<float> calls(n), puts(n);

  const auto run = [&] {
#pragma omp parallel
    {
#pragma omp for nowait
      for (std::size_t i = 0; i < whole; i += lanes) {
        const Prices result = priceOptions(load(prices + i), load(strikes + i), load(years + i));
        bench::storeStreaming(&calls[i], result.call);
        bench::storeStreaming(&puts[i], result.put);
      }
      __builtin_ia32_sfence(); // streaming stores are weakly ordered; the barrier must follow them
    }
    for (std::size_t i = whole; i < n; ++i) {
      const Prices result = priceOptions(splat(prices[i]), splat(strikes[i]), splat(years[i]));
      calls[i] = result.call[0];
      puts[i] = result.put[0];
    }
  };
  return bench::measure(options, black_scholes::name, problem.bytes(), problem.flops(), run,
                        [&] { return problem.check(calls, puts); });
}

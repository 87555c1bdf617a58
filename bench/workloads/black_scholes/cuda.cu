// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "common/cuda.h"
#include "problem.h"

__device__ float cumulativeNormal(float d) {
  using namespace black_scholes;
  const float k = 1.0f / (1.0f + slope * fabsf(d));
  const float tail =
      densityAtZero * expf(-0.5f * d * d) * (k * (c1 + k * (c2 + k * (c3 + k * (c4 + k * c5)))));
  return d > 0 ? 1.0f - tail : tail;
}

__global__ void price(float *calls, float *puts, const float *prices, const float *strikes,
                      const float *years, int n) {
  using namespace black_scholes;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const float price = prices[i], strike = strikes[i], t = years[i];
  const float deviation = volatility * sqrtf(t);
  const float d1 = (logf(price / strike) + (rate + 0.5f * volatility * volatility) * t) / deviation;
  const float n1 = cumulativeNormal(d1), n2 = cumulativeNormal(d1 - deviation);
  const float discounted = strike * expf(-rate * t);
  calls[i] = price * n1 - discounted * n2;
  puts[i] = discounted * (1.0f - n2) - price * (1.0f - n1);
}

int main(int argc, char **argv) {
  const bench::Options options(argc, argv);
  const black_scholes::Problem problem(options);
  const int n = int(problem.n);
  const float *prices = bench::toDevice(problem.prices);
  const float *strikes = bench::toDevice(problem.strikes);
  const float *years = bench::toDevice(problem.years);
  float *calls = bench::onDevice<float>(problem.n), *puts = bench::onDevice<float>(problem.n);

  return bench::measure(
      options, black_scholes::name, problem.bytes(), problem.flops(),
      [&] {
        price<<<(n + 255) / 256, 256>>>(calls, puts, prices, strikes, years, n);
        bench::finish();
      },
      [&] {
        return problem.check(bench::toHost(calls, problem.n), bench::toHost(puts, problem.n));
      });
}

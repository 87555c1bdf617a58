// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The constants are those of problem.h.
#define RATE 0.02f
#define VOLATILITY 0.30f

float cumulativeNormal(float d) {
  const float k = 1.0f / (1.0f + 0.2316419f * fabs(d));
  const float tail =
      0.3989422804f * exp(-0.5f * d * d) *
      (k * (0.319381530f +
            k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f)))));
  return d > 0 ? 1.0f - tail : tail;
}

__kernel void price(__global float *calls, __global float *puts, __global const float *prices,
                    __global const float *strikes, __global const float *years, int n) {
  const int i = get_global_id(0);
  if (i >= n)
    return;
  const float price = prices[i], strike = strikes[i], t = years[i];
  const float deviation = VOLATILITY * sqrt(t);
  const float d1 = (log(price / strike) + (RATE + 0.5f * VOLATILITY * VOLATILITY) * t) / deviation;
  const float n1 = cumulativeNormal(d1), n2 = cumulativeNormal(d1 - deviation);
  const float discounted = strike * exp(-RATE * t);
  calls[i] = price * n1 - discounted * n2;
  puts[i] = discounted * (1.0f - n2) - price * (1.0f - n1);
}

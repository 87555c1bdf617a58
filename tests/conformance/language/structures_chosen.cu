// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Small structures that functions return by value, chosen lane by lane: in branches, in loops that
// lanes leave at different times, one in another, and by a switch.
#include "check.h"

struct Interval {
  double low, high;
};
struct Marked {
  Interval range;
  int steps;
};

constexpr int threads = 192;

__host__ __device__ __noinline__ Interval make(double low, double high) { return {low, high}; }

__host__ __device__ __noinline__ Interval half(Interval whole, bool upper) {
  const double middle = 0.5 * (whole.low + whole.high);
  if (upper)
    return make(middle, whole.high);
  return make(whole.low, middle);
}

__host__ __device__ __noinline__ Marked narrow(int n) {
  Marked result = {make(0, n), 0};
  while (result.range.high - result.range.low > 0.25 && result.steps < n % 7 + 3) {
    result.range = half(result.range, (n >> result.steps & 1) != 0);
    ++result.steps;
  }
  return result;
}

__host__ __device__ __noinline__ Interval choose(int n, Interval a, Interval b) {
  switch (n % 5) {
  case 0:
    return a;
  case 1:
    return b;
  case 2:
    return make(a.low, b.high);
  case 3:
    return half(a, n & 8);
  default:
    return make(b.high, a.low);
  }
}

__host__ __device__ double compute(int n) {
  const Marked first = narrow(n), second = narrow(3 * n + 1);
  const Marked larger = first.steps > second.steps ? first : second;
  const Interval chosen = choose(n, first.range, larger.range);
  return chosen.low * 3 + chosen.high + larger.steps;
}

__global__ void kernel(double *results) {
  const int n = int(blockIdx.x * blockDim.x + threadIdx.x);
  results[n] = compute(n);
}

int main() {
  DeviceBuffer<double> results(2 * threads);
  kernel<<<2, threads>>>(results);
  const std::vector<double> got = results.download();
  for (int n = 0; n < 2 * threads; ++n)
    CHECK_EQ(got[size_t(n)], compute(n));
  RETURN_RESULT();
}

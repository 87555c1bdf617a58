// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// std:: functions that CUDA programs use on the device: std::sqrt, std::abs, std::pow, std::min
// with relaxed constexpr, std::array, std::move, std::swap-like exchanges, numeric limits.
// flags: --expt-relaxed-constexpr
#include "check.h"
#include <algorithm>
#include <array>
#include <limits>
#include <utility>

__global__ void useStd(float x, double y, double *out) {
  out[0] = std::sqrt(x) + std::sqrt(y);
  out[1] = std::abs(-x) + std::abs(-3) + std::fabs(-y);
  out[2] = std::pow(y, 2.0);
  out[3] = std::min(3, 5) + std::max(2.5, 1.5);
  std::array<int, 4> values = {1, 2, 3, 4};
  int sum = 0;
  for (int value : values)
    sum += value;
  out[4] = sum + values.size() + values[2];
  out[5] = std::numeric_limits<int>::max();
  out[6] = std::numeric_limits<float>::infinity() > x;
  out[7] = std::floor(y) + std::ceil(x) + std::exp(0.0f) + std::sin(0.0);
  std::pair<int, double> pair(3, 4.5);
  out[8] = pair.first + pair.second;
  int a = 5, b = std::move(a);
  out[9] = b + std::isnan(x) + std::isfinite(y);
}

int main() {
  DeviceBuffer<double> out(10);
  useStd<<<1, 1>>>(2.25f, 6.25, out);
  const double expected[10] = {4, 2.25 + 3 + 6.25, 39.0625, 5.5, 17, 2147483647,
                               1, 6 + 3 + 1,       7.5,     6};
  const std::vector<double> result = out.download();
  for (int i = 0; i < 10; ++i)
    CHECK_NEAR(result[i], expected[i], 1e-12);
  RETURN_RESULT();
}

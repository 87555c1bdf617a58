// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// long: minutes of compiling
// CUB's histograms, of even and of given bins, of one and of several channels; copies of many
// pieces; a function for each element.
#include "algorithms.h"

#include <algorithm>
#include <cub/device/device_copy.cuh>
#include <cub/device/device_for.cuh>
#include <cub/device/device_histogram.cuh>
#include <numeric>

template <class T> void even(int n) {
  const std::vector<T> values = smallValues<T>(n, 64);
  const int bins = 25;
  const T lower = T(3), upper = T(53);
  std::vector<int> expected(bins);
  for (const T value : values)
    if (value >= lower && value < upper)
      ++expected[int(value - lower) / 2];
  Buffer<T> in(values);
  Buffer<int> out(bins);
  runCub([&](void *temporary, size_t &bytes) {
    return cub::DeviceHistogram::HistogramEven(temporary, bytes, in.data(), out.data(), bins + 1,
                                               lower, upper, n);
  });
  checkSame(out.all(), expected);
}

void given(int n) {
  const std::vector<float> values = smallValues<float>(n, 100);
  const std::vector<float> limits = {-90, -17.5f, -3, 0, 0.5f, 40, 99};
  std::vector<int> expected(limits.size() - 1);
  for (const float value : values) {
    const auto above = std::upper_bound(limits.begin(), limits.end(), value);
    if (above != limits.begin() && above != limits.end())
      ++expected[above - limits.begin() - 1];
  }
  Buffer<float> in(values), bounds(limits);
  Buffer<int> out(expected.size());
  runCub([&](void *temporary, size_t &bytes) {
    return cub::DeviceHistogram::HistogramRange(temporary, bytes, in.data(), out.data(),
                                                int(limits.size()), bounds.data(), n);
  });
  checkSame(out.all(), expected);
}

// Red, green and blue of pixels with a fourth channel.
void channels(int n) {
  const std::vector<unsigned char> values = keys<unsigned char>(4 * n);
  std::vector<int> expected[3];
  Buffer<unsigned char> in(values);
  Buffer<int> red(256), green(256), blue(256);
  int *out[3] = {red.data(), green.data(), blue.data()};
  int levels[3] = {257, 257, 257}, lower[3] = {0, 0, 0}, upper[3] = {256, 256, 256};
  runCub([&](void *temporary, size_t &bytes) {
    return cub::DeviceHistogram::MultiHistogramEven<4, 3>(temporary, bytes, in.data(), out, levels,
                                                          lower, upper, n);
  });
  for (int channel = 0; channel < 3; ++channel) {
    expected[channel].resize(256);
    for (int i = 0; i < n; ++i)
      ++expected[channel][values[4 * i + channel]];
  }
  checkSame(red.all(), expected[0]);
  checkSame(green.all(), expected[1]);
  checkSame(blue.all(), expected[2]);
}

struct Twice {
  int *out;
  __device__ void operator()(int i) const { out[i] = 2 * i; }
};

void bulk(int n) {
  Buffer<int> out(n);
  runCub([&](void *temporary, size_t &bytes) {
    return cub::DeviceFor::Bulk(temporary, bytes, n, Twice{out.data()});
  });
  std::vector<int> expected(n);
  for (int i = 0; i < n; ++i)
    expected[i] = 2 * i;
  checkSame(out.all(), expected);
}

int main() {
  for (int n : sizes()) {
    even<int>(n);
    given(n);
    channels(n / 2);
    bulk(n);
  }
  RETURN_RESULT();
}

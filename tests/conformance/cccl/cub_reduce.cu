// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUB's sums, minima and maxima of whole arrays, of segments and of runs of equal keys.
#include "algorithms.h"

#include <algorithm>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_segmented_reduce.cuh>
#include <limits>
#include <numeric>

struct AbsoluteMaximum {
  template <class T> __host__ __device__ T operator()(T a, T b) const {
    const T x = a < T(0) ? -a : a, y = b < T(0) ? -b : b;
    return x < y ? y : x;
  }
};

struct Plus {
  template <class T> __host__ __device__ T operator()(T a, T b) const { return a + b; }
};

template <class T> void whole(int n) {
  const std::vector<T> values = smallValues<T>(n);
  Buffer<T> in(values), out(1);
  runCub([&](void *temporary, size_t &bytes) {
    return cub::DeviceReduce::Sum(temporary, bytes, in.data(), out.data(), n);
  });
  CHECK_EQ(out.all()[0], std::accumulate(values.begin(), values.end(), T(0)));
}

// A function that does not add, from the first value on.
void furthest(int n) {
  const std::vector<int> values = smallValues<int>(n);
  Buffer<int> in(values), out(1);
  runCub([&](void *temporary, size_t &bytes) {
    return cub::DeviceReduce::Reduce(temporary, bytes, in.data(), out.data(), n, AbsoluteMaximum(),
                                     2);
  });
  CHECK_EQ(out.all()[0], std::accumulate(values.begin(), values.end(), 2, AbsoluteMaximum()));
}

template <class T> void inParts(int n) {
  const std::vector<T> values = smallValues<T>(n);
  // Segments of 0, 1, 2 … elements, the last one with what is left.
  std::vector<int> offsets = {0};
  for (int length = 0; offsets.back() < n; ++length)
    offsets.push_back(std::min(n, offsets.back() + length));
  const int segments = int(offsets.size()) - 1;
  std::vector<T> sums(segments);
  for (int i = 0; i < segments; ++i)
    sums[i] = std::accumulate(values.begin() + offsets[i], values.begin() + offsets[i + 1], T(0));
  Buffer<T> in(values), out(segments);
  Buffer<int> bounds(offsets);
  runCub([&](void *temporary, size_t &bytes) {
    return cub::DeviceSegmentedReduce::Sum(temporary, bytes, in.data(), out.data(), segments,
                                           bounds.data(), bounds.data() + 1);
  });
  checkSame(out.all(), sums);

  // Runs of equal keys.
  std::vector<int> keys(n), unique;
  for (int i = 0, key = 5, left = 0; i < n; ++i, --left) {
    if (left == 0)
      key += 3, left = 1 + (i * 7) % 40;
    keys[i] = key;
  }
  sums.clear();
  for (int i = 0; i < n; ++i) {
    if (i == 0 || keys[i] != keys[i - 1])
      unique.push_back(keys[i]), sums.push_back(T(0));
    sums.back() += values[i];
  }
  Buffer<int> in_keys(keys), out_keys(n), runs(1);
  Buffer<T> totals(n);
  runCub([&](void *temporary, size_t &bytes) {
    return cub::DeviceReduce::ReduceByKey(temporary, bytes, in_keys.data(), out_keys.data(),
                                          in.data(), totals.data(), runs.data(), Plus(), n);
  });
  if (n > 0)
    CHECK_EQ(runs.all()[0], int(unique.size()));
  checkSame(out_keys.first(unique.size()), unique);
  checkSame(totals.first(sums.size()), sums);
}

int main() {
  for (const int n : sizes()) {
    whole<int>(n);
    whole<float>(n);
    whole<long long>(n);
    furthest(n);
    inParts<int>(n);
    inParts<double>(n);
  }
  RETURN_RESULT();
}

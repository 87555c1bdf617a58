// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUB's running sums, of whole arrays and by key: blocks look back at what earlier ones have found.
#include "algorithms.h"

#include <algorithm>
#include <cub/device/device_adjacent_difference.cuh>
#include <cub/device/device_scan.cuh>
#include <functional>
#include <numeric>

struct Maximum {
  template <class T> __host__ __device__ T operator()(T a, T b) const { return a < b ? b : a; }
};

template <class T> void whole(int n) {
  const std::vector<T> values = smallValues<T>(n);
  Buffer<T> in(values), out(n);
  std::vector<T> expected(n);
  std::exclusive_scan(values.begin(), values.end(), expected.begin(), T(0));
  runCub([&](void *temporary, size_t &bytes) {
    return cub::DeviceScan::ExclusiveSum(temporary, bytes, in.data(), out.data(), n);
  });
  checkSame(out.all(), expected);
  std::partial_sum(values.begin(), values.end(), expected.begin(),
                   [](T a, T b) { return std::max(a, b); });
  runCub([&](void *temporary, size_t &bytes) {
    return cub::DeviceScan::InclusiveScan(temporary, bytes, in.data(), out.data(), Maximum(), n);
  });
  checkSame(out.all(), expected);
}

// Composition of functions x -> a x + b: not commutative.
struct Affine {
  unsigned a, b;
  bool operator==(const Affine &other) const { return a == other.a && b == other.b; }
};
struct Compose {
  __host__ __device__ Affine operator()(const Affine &first, const Affine &second) const {
    return {first.a * second.a, second.a * first.b + second.b};
  }
};

void inOrder(int n) {
  Random random;
  std::vector<Affine> values(n), expected(n);
  for (Affine &value : values)
    value = {random.next() | 1, random.next()};
  std::partial_sum(values.begin(), values.end(), expected.begin(), Compose());
  Buffer<Affine> in(values), out(n);
  runCub([&](void *temporary, size_t &bytes) {
    return cub::DeviceScan::InclusiveScan(temporary, bytes, in.data(), out.data(), Compose(), n);
  });
  checkSame(out.all(), expected);
}

void byKey(int n) {
  std::vector<int> keys(n);
  for (int i = 0; i < n; ++i)
    keys[i] = i / (1 + i % 97);
  const std::vector<int> values = smallValues<int>(n);
  std::vector<int> expected(n);
  for (int i = 0; i < n; ++i)
    expected[i] = values[i] + (i > 0 && keys[i] == keys[i - 1] ? expected[i - 1] : 0);
  Buffer<int> in_keys(keys), in(values), out(n);
  runCub([&](void *temporary, size_t &bytes) {
    return cub::DeviceScan::InclusiveSumByKey(temporary, bytes, in_keys.data(), in.data(),
                                              out.data(), n);
  });
  checkSame(out.all(), expected);
  for (int i = 0; i < n; ++i)
    expected[i] = i > 0 ? values[i] - values[i - 1] : values[i];
  runCub([&](void *temporary, size_t &bytes) {
    return cub::DeviceAdjacentDifference::SubtractLeftCopy(temporary, bytes, in.data(), out.data(),
                                                           n);
  });
  checkSame(out.all(), expected);
}

int main() {
  for (const int n : sizes()) {
    whole<int>(n);
    whole<float>(n);
    whole<long long>(n);
    inOrder(n);
    byKey(n);
  }
  RETURN_RESULT();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// timeout: 600
// CUB's radix sort: keys and pairs, up and down, of signed, unsigned and floating-point types, of
// some bits only, and the same places again (DoubleBuffer).
#include "algorithms.h"

#include <algorithm>
#include <cub/device/device_radix_sort.cuh>
#include <functional>
#include <numeric>

template <class T> std::vector<int> stableOrder(const std::vector<T> &keys) {
  std::vector<int> order(keys.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return keys[a] < keys[b]; });
  return order;
}

template <class T> void pairs(int n) {
  const std::vector<T> values = keys<T>(n);
  std::vector<int> places(n);
  std::iota(places.begin(), places.end(), 0);
  const std::vector<int> order = stableOrder(values);
  std::vector<T> sorted(n);
  for (int i = 0; i < n; ++i)
    sorted[i] = values[order[i]];
  Buffer<T> in(values), out(n);
  Buffer<int> in_places(places), out_places(n);
  runCub([&](void *temporary, size_t &bytes) {
    return cub::DeviceRadixSort::SortPairs(temporary, bytes, in.data(), out.data(),
                                           in_places.data(), out_places.data(), n);
  });
  checkSame(out.all(), sorted);
  checkSame(out_places.all(), order);
}

template <class T> void downwards(int n) {
  std::vector<T> values = keys<T>(n);
  Buffer<T> in(values), out(n);
  runCub([&](void *temporary, size_t &bytes) {
    return cub::DeviceRadixSort::SortKeysDescending(temporary, bytes, in.data(), out.data(), n);
  });
  std::sort(values.begin(), values.end(), std::greater<T>());
  checkSame(out.all(), values);
}

void someBits(int n) {
  const std::vector<unsigned> values = keys<unsigned>(n);
  std::vector<unsigned> expected = values;
  std::stable_sort(expected.begin(), expected.end(),
                   [](unsigned a, unsigned b) { return (a >> 5 & 0xfff) < (b >> 5 & 0xfff); });
  Buffer<unsigned> first(values), second(n);
  cub::DoubleBuffer<unsigned> both(first.data(), second.data());
  runCub([&](void *temporary, size_t &bytes) {
    return cub::DeviceRadixSort::SortKeys(temporary, bytes, both, n, 5, 17);
  });
  checkSame(both.Current() == first.data() ? first.all() : second.all(), expected);
}

int main() {
  for (int n : sizes()) {
    pairs<unsigned>(n);
    pairs<double>(n);
    downwards<short>(n);
    someBits(n);
  }
  RETURN_RESULT();
}

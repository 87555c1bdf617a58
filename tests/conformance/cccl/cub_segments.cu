// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// long: minutes of compiling
// timeout: 600
// CUB's algorithms of many segments at once: sorts of short and long ones, sums, least elements.
#include "algorithms.h"

#include <algorithm>
#include <cub/device/device_segmented_radix_sort.cuh>
#include <cub/device/device_segmented_reduce.cuh>
#include <cub/device/device_segmented_sort.cuh>
#include <numeric>

// Segments of 0 to 2000 elements, most of them short.
std::vector<int> ends(int n) {
  std::vector<int> result = {0};
  Random random;
  while (result.back() < n) {
    const unsigned kind = random.next() % 16;
    const int length = int(random.next() % (kind == 0 ? 2000 : kind < 4 ? 200 : 20));
    result.push_back(std::min(n, result.back() + length));
  }
  return result;
}

template <class T> void sort(int n) {
  std::vector<T> values = keys<T>(n);
  const std::vector<int> offsets = ends(n);
  const int count = int(offsets.size()) - 1;
  Buffer<T> in(values), out(n), radix(n);
  Buffer<int> places(offsets);
  runCub([&](void *temporary, size_t &bytes) {
    return cub::DeviceSegmentedSort::SortKeys(temporary, bytes, in.data(), out.data(), n, count,
                                              places.data(), places.data() + 1);
  });
  runCub([&](void *temporary, size_t &bytes) {
    return cub::DeviceSegmentedRadixSort::SortKeys(temporary, bytes, in.data(), radix.data(), n,
                                                   count, places.data(), places.data() + 1);
  });
  for (int i = 0; i < count; ++i)
    std::sort(values.begin() + offsets[i], values.begin() + offsets[i + 1]);
  checkSame(out.all(), values);
  checkSame(radix.all(), values);
}

void least(int n) {
  const std::vector<int> values = keys<int>(n), offsets = ends(n);
  const int count = int(offsets.size()) - 1;
  Buffer<int> in(values), places(offsets);
  Buffer<cub::KeyValuePair<int, int>> out(count);
  runCub([&](void *temporary, size_t &bytes) {
    return cub::DeviceSegmentedReduce::ArgMin(temporary, bytes, in.data(), out.data(), count,
                                              places.data(), places.data() + 1);
  });
  const auto got = out.all();
  for (int i = 0; i < count; ++i) {
    const auto begin = values.begin() + offsets[i], end = values.begin() + offsets[i + 1];
    if (begin == end)
      continue;
    const auto least = std::min_element(begin, end);
    CHECK_EQ(got[i].value, *least);
    CHECK_EQ(got[i].key, int(least - begin));
  }
}

int main() {
  for (int n : sizes()) {
    if (n > 100000)
      n = 200000; // many segments
    sort<int>(n);
    sort<unsigned char>(n);
    least(n);
  }
  RETURN_RESULT();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// timeout: 600
// CUB's merge sort, of any order, and the merging of sorted arrays.
#include "algorithms.h"

#include <algorithm>
#include <cub/device/device_merge.cuh>
#include <cub/device/device_merge_sort.cuh>
#include <numeric>

struct Item {
  short key;
  int place;
  bool operator==(const Item &other) const { return key == other.key && place == other.place; }
};

struct ByKey {
  __host__ __device__ bool operator()(const Item &a, const Item &b) const { return a.key < b.key; }
};
struct OddFirst {
  __host__ __device__ bool operator()(int a, int b) const {
    return (a & 1) != (b & 1) ? (a & 1) > (b & 1) : a < b;
  }
};

void structures(int n) {
  std::vector<Item> items(n);
  Random random;
  for (int i = 0; i < n; ++i)
    items[i] = {short(random.next() % 1000), i};
  Buffer<Item> data(items);
  runCub([&](void *temporary, size_t &bytes) {
    return cub::DeviceMergeSort::StableSortKeys(temporary, bytes, data.data(), n, ByKey());
  });
  std::stable_sort(items.begin(), items.end(), ByKey());
  checkSame(data.all(), items);
}

void pairs(int n) {
  const std::vector<int> values = keys<int>(n);
  std::vector<int> sorted = values;
  Buffer<int> data(values);
  Buffer<int> copies(values);
  runCub([&](void *temporary, size_t &bytes) {
    return cub::DeviceMergeSort::SortPairs(temporary, bytes, data.data(), copies.data(), n,
                                           OddFirst());
  });
  std::sort(sorted.begin(), sorted.end(), OddFirst());
  checkSame(data.all(), sorted);
  checkSame(copies.all(), sorted);
}

void merge(int n) {
  std::vector<int> a = keys<int>(n / 3), b = smallValues<int>(n - n / 3, 100000);
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  Buffer<int> first(a), second(b), out(n);
  runCub([&](void *temporary, size_t &bytes) {
    return cub::DeviceMerge::MergeKeys(temporary, bytes, first.data(), int(a.size()), second.data(),
                                       int(b.size()), out.data());
  });
  std::vector<int> expected(n);
  std::merge(a.begin(), a.end(), b.begin(), b.end(), expected.begin());
  checkSame(out.all(), expected);
}

int main() {
  for (int n : sizes()) {
    structures(n);
    pairs(n);
    merge(n);
  }
  RETURN_RESULT();
}

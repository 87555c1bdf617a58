// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// long: minutes of compiling
// timeout: 600
// Thrust's sorts and what asks for sorted arrays: sets, merging, searching, unique elements.
#include "algorithms.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <thrust/binary_search.h>
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/merge.h>
#include <thrust/set_operations.h>
#include <thrust/sort.h>
#include <thrust/unique.h>

template <class T> using Device = thrust::device_vector<T>;

template <class T> std::vector<T> host(const Device<T> &vector) {
  std::vector<T> result(vector.size());
  thrust::copy(vector.begin(), vector.end(), result.begin());
  return result;
}

template <class T> void sorts(int n) {
  std::vector<T> values = keys<T>(n);
  Device<T> data(values.begin(), values.end());
  thrust::sort(data.begin(), data.end());
  std::sort(values.begin(), values.end());
  checkSame(host(data), values);
  CHECK(thrust::is_sorted(data.begin(), data.end()));
  thrust::stable_sort(data.begin(), data.end(), thrust::greater<T>());
  std::reverse(values.begin(), values.end());
  checkSame(host(data), values);
}

struct LastDigit {
  __host__ __device__ bool operator()(int a, int b) const { return a % 10 < b % 10; }
};

void byKey(int n) {
  std::vector<int> values = smallValues<int>(n, 100000);
  for (int &value : values)
    value = std::abs(value);
  std::vector<int> order(n);
  std::iota(order.begin(), order.end(), 0);
  Device<int> data(values.begin(), values.end()), places(order.begin(), order.end());
  thrust::stable_sort_by_key(data.begin(), data.end(), places.begin(), LastDigit());
  std::stable_sort(order.begin(), order.end(),
                   [&](int a, int b) { return LastDigit()(values[a], values[b]); });
  checkSame(host(places), order);
}

void sets(int n) {
  std::vector<int> a = smallValues<int>(n, n / 2 + 2), b = smallValues<int>(n / 2, n / 3 + 2);
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  const Device<int> x(a.begin(), a.end()), y(b.begin(), b.end());
  Device<int> out(a.size() + b.size());
  std::vector<int> expected(out.size());
  const auto same = [&](Device<int>::iterator end, std::vector<int>::iterator wanted) {
    std::vector<int> got = host(out);
    got.resize(size_t(end - out.begin()));
    checkSame(got, std::vector<int>(expected.begin(), wanted));
  };
#define SET(operation)                                                                             \
  same(thrust::operation(x.begin(), x.end(), y.begin(), y.end(), out.begin()),                     \
       std::operation(a.begin(), a.end(), b.begin(), b.end(), expected.begin()))
  SET(set_union);
  SET(set_intersection);
  SET(set_difference);
  SET(set_symmetric_difference);
  SET(merge);
#undef SET
}

void searches(int n) {
  std::vector<int> a = smallValues<int>(n, 3 * n + 1), wanted = smallValues<int>(1000, 3 * n + 5);
  std::sort(a.begin(), a.end());
  const Device<int> data(a.begin(), a.end()), questions(wanted.begin(), wanted.end());
  Device<int> lower(1000), upper(1000);
  Device<bool> there(1000);
  thrust::lower_bound(data.begin(), data.end(), questions.begin(), questions.end(), lower.begin());
  thrust::upper_bound(data.begin(), data.end(), questions.begin(), questions.end(), upper.begin());
  thrust::binary_search(data.begin(), data.end(), questions.begin(), questions.end(),
                        there.begin());
  const std::vector<int> low = host(lower), high = host(upper);
  for (size_t i = 0; i < wanted.size(); ++i) {
    CHECK_EQ(low[i], int(std::lower_bound(a.begin(), a.end(), wanted[i]) - a.begin()));
    CHECK_EQ(high[i], int(std::upper_bound(a.begin(), a.end(), wanted[i]) - a.begin()));
    CHECK_EQ(bool(there[i]), low[i] != high[i]);
    if (i == 40)
      i = 990; // each look at `there` is a copy
  }
  Device<int> each = data;
  each.erase(thrust::unique(each.begin(), each.end()), each.end());
  a.erase(std::unique(a.begin(), a.end()), a.end());
  checkSame(host(each), a);
}

int main() {
  for (int n : sizes()) {
    sorts<unsigned>(n);
    sorts<float>(n);
    byKey(n);
    sets(n);
    searches(n);
  }
  RETURN_RESULT();
}

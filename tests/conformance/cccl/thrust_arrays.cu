// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// long: minutes of compiling
// timeout: 600
// Thrust's algorithms that go through arrays once: sums and scans, by key too, least elements,
// counts, searches, copies by maps and conditions, comparisons.
#include "algorithms.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <thrust/adjacent_difference.h>
#include <thrust/count.h>
#include <thrust/device_vector.h>
#include <thrust/equal.h>
#include <thrust/extrema.h>
#include <thrust/find.h>
#include <thrust/gather.h>
#include <thrust/inner_product.h>
#include <thrust/logical.h>
#include <thrust/mismatch.h>
#include <thrust/partition.h>
#include <thrust/reduce.h>
#include <thrust/remove.h>
#include <thrust/replace.h>
#include <thrust/scan.h>
#include <thrust/scatter.h>
#include <thrust/tabulate.h>
#include <thrust/transform_reduce.h>
#include <thrust/transform_scan.h>

template <class T> using Device = thrust::device_vector<T>;

template <class T> std::vector<T> host(const Device<T> &vector) {
  std::vector<T> result(vector.size());
  thrust::copy(vector.begin(), vector.end(), result.begin());
  return result;
}

// Of one type each: Thrust may hand over a reference to the device's memory, which converts.
template <class T> struct Negative {
  __host__ __device__ bool operator()(T value) const { return value < T(0); }
};
template <class T> struct Square {
  __host__ __device__ T operator()(T value) const { return value * value; }
};

template <class T> void sums(int n) {
  const std::vector<T> a = smallValues<T>(n);
  const Device<T> data(a.begin(), a.end());
  Device<T> out(n);
  std::vector<T> expected(n);
  CHECK_EQ(thrust::reduce(data.begin(), data.end()), std::accumulate(a.begin(), a.end(), T(0)));
  CHECK_EQ(thrust::transform_reduce(data.begin(), data.end(), Square<T>(), T(1), thrust::plus<T>()),
           std::inner_product(a.begin(), a.end(), a.begin(), T(1)));
  CHECK_EQ(thrust::inner_product(data.begin(), data.end(), data.begin(), T(2)),
           std::inner_product(a.begin(), a.end(), a.begin(), T(2)));
  thrust::inclusive_scan(data.begin(), data.end(), out.begin());
  std::partial_sum(a.begin(), a.end(), expected.begin());
  checkSame(host(out), expected);
  thrust::transform_exclusive_scan(data.begin(), data.end(), out.begin(), Square<T>(), T(5),
                                   thrust::plus<T>());
  T sum = 5;
  for (int i = 0; i < n; ++i) {
    expected[i] = sum;
    sum += a[i] * a[i];
  }
  checkSame(host(out), expected);
  thrust::adjacent_difference(data.begin(), data.end(), out.begin());
  std::adjacent_difference(a.begin(), a.end(), expected.begin());
  checkSame(host(out), expected);
}

void byKey(int n) {
  std::vector<int> key(n), value = smallValues<int>(n), keys_of_runs, sums_of_runs, scanned(n);
  for (int i = 0; i < n; ++i) {
    key[i] = i / (1 + i % 53);
    const bool begins = i == 0 || key[i] != key[i - 1];
    if (begins) {
      keys_of_runs.push_back(key[i]);
      sums_of_runs.push_back(0);
    }
    sums_of_runs.back() += value[i];
    scanned[i] = sums_of_runs.back();
  }
  const Device<int> k(key.begin(), key.end()), v(value.begin(), value.end());
  Device<int> out_keys(n), out(n);
  const auto ends =
      thrust::reduce_by_key(k.begin(), k.end(), v.begin(), out_keys.begin(), out.begin());
  out_keys.resize(size_t(ends.first - out_keys.begin()));
  out.resize(size_t(ends.second - out.begin()));
  checkSame(host(out_keys), keys_of_runs);
  checkSame(host(out), sums_of_runs);
  out.resize(n);
  thrust::inclusive_scan_by_key(k.begin(), k.end(), v.begin(), out.begin());
  checkSame(host(out), scanned);
}

template <class T> void looks(int n) {
  const std::vector<T> a = keys<T>(n);
  const Device<T> data(a.begin(), a.end());
  CHECK_EQ(thrust::min_element(data.begin(), data.end()) - data.begin(),
           std::min_element(a.begin(), a.end()) - a.begin());
  CHECK_EQ(thrust::max_element(data.begin(), data.end()) - data.begin(),
           std::max_element(a.begin(), a.end()) - a.begin());
  CHECK_EQ(thrust::count_if(data.begin(), data.end(), Negative<T>()),
           std::count_if(a.begin(), a.end(), Negative<T>()));
  CHECK_EQ(thrust::find_if(data.begin(), data.end(), Negative<T>()) - data.begin(),
           std::find_if(a.begin(), a.end(), Negative<T>()) - a.begin());
  CHECK_EQ(thrust::any_of(data.begin(), data.end(), Negative<T>()),
           std::any_of(a.begin(), a.end(), Negative<T>()));
  Device<T> other = data;
  CHECK(thrust::equal(data.begin(), data.end(), other.begin()));
  if (n) {
    other[n / 2] = T(other[n / 2]) == T(3) ? T(4) : T(3); // not + 1: large floats would stay
    CHECK_EQ(thrust::mismatch(data.begin(), data.end(), other.begin()).first - data.begin(), n / 2);
  }
}

void moves(int n) {
  const std::vector<int> a = smallValues<int>(n, 1000);
  const Device<int> data(a.begin(), a.end());
  Device<int> map(n), out(n), back(n);
  // 7 and a power of two have no common factor, so each place is taken once.
  int places = 1;
  while (places < n)
    places *= 2;
  std::vector<int> order;
  for (int i = 0; i < places; ++i)
    if (const int place = int(7ll * i % places); place < n)
      order.push_back(place);
  thrust::copy(order.begin(), order.end(), map.begin());
  thrust::gather(map.begin(), map.end(), data.begin(), out.begin());
  thrust::scatter(out.begin(), out.end(), map.begin(), back.begin());
  checkSame(host(back), a);

  std::vector<int> parted = a;
  const auto middle = std::stable_partition(parted.begin(), parted.end(), Negative<int>());
  out = data;
  CHECK_EQ(thrust::stable_partition(out.begin(), out.end(), Negative<int>()) - out.begin(),
           middle - parted.begin());
  checkSame(host(out), parted);
  out = data;
  out.erase(thrust::remove_if(out.begin(), out.end(), Negative<int>()), out.end());
  checkSame(host(out), std::vector<int>(middle, parted.end()));
  out = data;
  thrust::replace_if(out.begin(), out.end(), Negative<int>(), 17);
  std::vector<int> replaced = a;
  std::replace_if(replaced.begin(), replaced.end(), Negative<int>(), 17);
  checkSame(host(out), replaced);
  thrust::tabulate(out.begin(), out.end(), Square<int>());
  for (size_t i = 0; i < replaced.size(); ++i)
    replaced[i] = int(unsigned(i) * unsigned(i));
  checkSame(host(out), replaced);
}

int main() {
  for (int n : sizes()) {
    sums<int>(n);
    sums<double>(n);
    byKey(n);
    looks<short>(n);
    looks<float>(n);
    moves(n);
  }
  RETURN_RESULT();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What most programs use of Thrust: sorting, by key too, and merging; the rest is in thrust_sort.cu
// and thrust_arrays.cu, which take minutes to compile.
#include "algorithms.h"

#include <algorithm>
#include <numeric>
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/merge.h>
#include <thrust/reduce.h>
#include <thrust/sort.h>

namespace {

template <class T> using Device = thrust::device_vector<T>;

template <class T> std::vector<T> host(const Device<T> &vector, size_t count) {
  std::vector<T> result(count);
  thrust::copy(vector.begin(), vector.begin() + count, result.begin());
  return result;
}

void sorts(int n) {
  std::vector<unsigned> values = keys<unsigned>(n);
  Device<unsigned> data(values.begin(), values.end());
  thrust::sort(data.begin(), data.end());
  std::sort(values.begin(), values.end());
  checkSame(host(data, n), values);
}

void sumsByKey(int n) {
  std::vector<int> keys(n), values = smallValues<int>(n), kept, sums;
  for (int i = 0; i < n; ++i) {
    keys[i] = i / 3 % 5;
    if (kept.empty() || kept.back() != keys[i])
      kept.push_back(keys[i]), sums.push_back(0);
    sums.back() += values[i];
  }
  const Device<int> in_keys(keys.begin(), keys.end()), in(values.begin(), values.end());
  Device<int> out_keys(n), out(n);
  const auto ends = thrust::reduce_by_key(in_keys.begin(), in_keys.end(), in.begin(),
                                          out_keys.begin(), out.begin());
  CHECK_EQ(size_t(ends.first - out_keys.begin()), kept.size());
  checkSame(host(out_keys, kept.size()), kept);
  checkSame(host(out, kept.size()), sums);
}

void merges(int n) {
  std::vector<int> a = smallValues<int>(n, n + 1), b = smallValues<int>(n / 2, n / 3 + 2);
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  const Device<int> x(a.begin(), a.end()), y(b.begin(), b.end());
  Device<int> out(a.size() + b.size());
  thrust::merge(x.begin(), x.end(), y.begin(), y.end(), out.begin());
  std::vector<int> expected(out.size());
  std::merge(a.begin(), a.end(), b.begin(), b.end(), expected.begin());
  checkSame(host(out, out.size()), expected);
}

} // namespace

int main() {
  for (int n : sizes()) {
    sorts(n);
    sumsByKey(n);
    merges(n);
  }
  RETURN_RESULT();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What CUB keeps of an array: elements by a condition, by flags, the first of each run; partitions
// and run lengths.
#include "algorithms.h"

#include <algorithm>
#include <cub/device/device_partition.cuh>
#include <cub/device/device_run_length_encode.cuh>
#include <cub/device/device_select.cuh>

template <class T> struct Above {
  T bound;
  __host__ __device__ bool operator()(const T &value) const { return value > bound; }
};

template <class T> void select(int n) {
  const std::vector<T> values = smallValues<T>(n);
  Buffer<T> in(values), out(n);
  Buffer<int> count(1);
  std::vector<T> expected;
  std::copy_if(values.begin(), values.end(), std::back_inserter(expected), Above<T>{T(3)});
  runCub([&](void *temporary, size_t &bytes) {
    return cub::DeviceSelect::If(temporary, bytes, in.data(), out.data(), count.data(), n,
                                 Above<T>{T(3)});
  });
  CHECK_EQ(count.all()[0], int(expected.size()));
  checkSame(out.first(expected.size()), expected);

  // What is not selected comes from the end, in reverse.
  runCub([&](void *temporary, size_t &bytes) {
    return cub::DevicePartition::If(temporary, bytes, in.data(), out.data(), count.data(), n,
                                    Above<T>{T(3)});
  });
  CHECK_EQ(count.all()[0], int(expected.size()));
  for (int i = n - 1; i >= 0; --i)
    if (!(values[i] > T(3)))
      expected.push_back(values[i]);
  checkSame(out.all(), expected);

  std::vector<unsigned char> flags(n);
  expected.clear();
  for (int i = 0; i < n; ++i)
    if ((flags[i] = i % 3 == 0 || i / 1000 % 2))
      expected.push_back(values[i]);
  Buffer<unsigned char> marks(flags);
  runCub([&](void *temporary, size_t &bytes) {
    return cub::DeviceSelect::Flagged(temporary, bytes, in.data(), marks.data(), out.data(),
                                      count.data(), n);
  });
  CHECK_EQ(count.all()[0], int(expected.size()));
  checkSame(out.first(expected.size()), expected);
}

template <class T> void runs(int n) {
  const std::vector<T> values = smallValues<T>(n, 1);
  std::vector<T> unique;
  std::vector<int> lengths;
  for (int i = 0; i < n; ++i) {
    if (i == 0 || values[i] != values[i - 1])
      unique.push_back(values[i]), lengths.push_back(0);
    ++lengths.back();
  }
  Buffer<T> in(values), out(n);
  Buffer<int> counts(n), count(1);
  runCub([&](void *temporary, size_t &bytes) {
    return cub::DeviceRunLengthEncode::Encode(temporary, bytes, in.data(), out.data(),
                                              counts.data(), count.data(), n);
  });
  CHECK_EQ(count.all()[0], int(unique.size()));
  checkSame(out.first(unique.size()), unique);
  checkSame(counts.first(lengths.size()), lengths);
  runCub([&](void *temporary, size_t &bytes) {
    return cub::DeviceSelect::Unique(temporary, bytes, in.data(), out.data(), count.data(), n);
  });
  CHECK_EQ(count.all()[0], int(unique.size()));
  checkSame(out.first(unique.size()), unique);
}

int main() {
  for (const int n : sizes()) {
    select<int>(n);
    select<double>(n);
    runs<long long>(n);
  }
  RETURN_RESULT();
}

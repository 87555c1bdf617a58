// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// atomicMin and atomicMax on int, unsigned, long long and unsigned long long: signed and
// unsigned order differ.
#include "atomic_check.h"
#include <algorithm>

template <class T> __host__ __device__ T mixed(unsigned i) {
  return T((i * 2654435761u) * 0x100000001ull);
}
template <class T> struct Min {
  __device__ T operator()(T *address, unsigned i) const { return atomicMin(address, mixed<T>(i)); }
};
template <class T> struct Max {
  __device__ T operator()(T *address, unsigned i) const { return atomicMax(address, mixed<T>(i)); }
};

template <class T> static void checkType() {
  T least = mixed<T>(0), largest = least;
  for (unsigned i = 0; i < 256; ++i) {
    least = std::min(least, mixed<T>(i));
    largest = std::max(largest, mixed<T>(i));
  }
  CHECK_EQ(runGlobal(mixed<T>(0), 4, 64, Min<T>()).final, least);
  CHECK_EQ(runGlobal(mixed<T>(0), 4, 64, Max<T>()).final, largest);
  CHECK_EQ(runShared(mixed<T>(0), 256, Min<T>()).final, least);
  CHECK_EQ(runShared(mixed<T>(0), 256, Max<T>()).final, largest);
  // One operation returns the old value, also when it changes nothing.
  CHECK_EQ(runGlobal(T(5), 1, 1, Max<T>()).old[0], 5);
}

int main() {
  checkType<int>();
  checkType<unsigned>();
  checkType<long long>();
  checkType<unsigned long long>();
  RETURN_RESULT();
}

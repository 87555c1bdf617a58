// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// atomicAdd on int, unsigned, unsigned long long, float and double in global and shared memory:
// exact sums, and the old values are all the partial sums.
#include "atomic_check.h"
#include <algorithm>

template <class T> struct Add {
  __device__ T operator()(T *address, unsigned) const { return atomicAdd(address, T(3)); }
};

template <class T> static void checkRun(AtomicRun<T> run, T start) {
  const size_t n = run.old.size();
  CHECK_EQ(run.final, T(start + 3 * n));
  std::sort(run.old.begin(), run.old.end());
  for (size_t i = 0; i < n; ++i)
    CHECK_EQ(run.old[i], T(start + 3 * i));
}

template <class T> static void checkType(T start) {
  checkRun(runGlobal(start, 5, 100, Add<T>()), start);
  checkRun(runShared(start, 200, Add<T>()), start);
}

int main() {
  checkType<int>(-700);
  checkType<unsigned>(7);
  checkType<unsigned long long>(1ull << 40);
  checkType<float>(0.5f);
  checkType<double>(-1e10);
  RETURN_RESULT();
}

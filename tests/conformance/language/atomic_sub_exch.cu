// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// atomicSub wraps for unsigned, and atomicExch hands each value on exactly once, for all its
// types.
#include "atomic_check.h"
#include <algorithm>

template <class T> struct Subtract {
  __device__ T operator()(T *address, unsigned) const { return atomicSub(address, T(2)); }
};
template <class T> struct Exchange {
  __device__ T operator()(T *address, unsigned i) const { return atomicExch(address, T(i + 1)); }
};

template <class T> static void checkSubtract(T start) {
  CHECK_EQ(runGlobal(start, 4, 64, Subtract<T>()).final, T(start - T(512)));
  CHECK_EQ(runShared(start, 96, Subtract<T>()).final, T(start - T(192)));
}

// The values that went in are those that came out, and the one that is left.
template <class T> static void checkExchange(AtomicRun<T> run) {
  run.old.push_back(run.final);
  std::sort(run.old.begin(), run.old.end());
  for (size_t i = 0; i < run.old.size(); ++i)
    CHECK_EQ(run.old[i], T(i));
}

template <class T> static void checkExchanges() {
  checkExchange(runGlobal(T(0), 4, 64, Exchange<T>()));
  checkExchange(runShared(T(0), 96, Exchange<T>()));
}

int main() {
  checkSubtract<int>(100);
  checkSubtract<unsigned>(100);
  checkExchanges<int>();
  checkExchanges<unsigned>();
  checkExchanges<unsigned long long>();
  checkExchanges<float>();
  RETURN_RESULT();
}

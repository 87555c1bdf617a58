// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// atomicCAS on 16, 32 and 64 bits, and loops that build other atomics from it (multiplication,
// float maximum).
#include "atomic_check.h"

template <class T> struct AddByCas {
  __device__ T operator()(T *address, unsigned i) const {
    T old = *address, assumed;
    do {
      assumed = old;
      old = atomicCAS(address, assumed, T(assumed + T(i % 7)));
    } while (old != assumed);
    return old;
  }
};

struct MultiplyDouble {
  __device__ unsigned long long operator()(unsigned long long *address, unsigned i) const {
    unsigned long long old = *address, assumed;
    do {
      assumed = old;
      const double product = __longlong_as_double(assumed) * (i % 2 ? 2.0 : 0.5);
      old = atomicCAS(address, assumed, (unsigned long long)__double_as_longlong(product));
    } while (old != assumed);
    return old;
  }
};

struct Fails {
  __device__ int operator()(int *address, unsigned) const { return atomicCAS(address, 1, 2); }
};

template <class T> static void checkType() {
  int sum = 0, sumShared = 0;
  for (int i = 0; i < 320; ++i) {
    sum += i % 7;
    sumShared += i < 128 ? i % 7 : 0;
  }
  CHECK_EQ(runGlobal(T(1), 5, 64, AddByCas<T>()).final, T(1 + sum));
  CHECK_EQ(runShared(T(1), 128, AddByCas<T>()).final, T(1 + sumShared));
}

int main() {
  checkType<int>();
  checkType<unsigned>();
  checkType<unsigned long long>();
  checkType<unsigned short>();
  const AtomicRun<unsigned long long> run =
      runGlobal(0x4008000000000000ull, 2, 64, MultiplyDouble()); // 3.0
  CHECK_EQ(run.final, 0x4008000000000000ull);
  const AtomicRun<int> failed = runGlobal(5, 1, 2, Fails());
  CHECK_EQ(failed.final, 5);
  CHECK_EQ(failed.old[1], 5);
  RETURN_RESULT();
}

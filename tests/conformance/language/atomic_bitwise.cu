// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// atomicAnd, atomicOr and atomicXor on 32 and 64 bits: each thread its own bit.
#include "atomic_check.h"

template <class T> __device__ T bit(unsigned i) { return T(1) << i % (8 * sizeof(T)); }
template <class T> struct Or {
  __device__ T operator()(T *address, unsigned i) const { return atomicOr(address, bit<T>(i)); }
};
template <class T> struct And {
  __device__ T operator()(T *address, unsigned i) const {
    return i % 3 ? *address : atomicAnd(address, ~bit<T>(i));
  }
};
template <class T> struct Xor {
  __device__ T operator()(T *address, unsigned i) const { return atomicXor(address, bit<T>(i)); }
};

template <class T> static void checkType() {
  const unsigned bits = 8 * sizeof(T);
  T everyThird = 0;
  for (unsigned i = 0; i < bits; i += 3)
    everyThird |= T(1) << i;
  CHECK_EQ(runGlobal(T(0), 1, bits, Or<T>()).final, T(~T(0)));
  CHECK_EQ(runShared(T(0), bits, Or<T>()).final, T(~T(0)));
  CHECK_EQ(runGlobal(T(~T(0)), 1, bits, And<T>()).final, T(~everyThird));
  CHECK_EQ(runShared(T(~T(0)), bits, And<T>()).final, T(~everyThird));
  CHECK_EQ(runGlobal(T(0), 3, bits, Xor<T>()).final, T(~T(0)));
  CHECK_EQ(runShared(T(9), 2 * bits, Xor<T>()).final, 9);
}

int main() {
  checkType<unsigned>();
  checkType<int>();
  checkType<unsigned long long>();
  RETURN_RESULT();
}

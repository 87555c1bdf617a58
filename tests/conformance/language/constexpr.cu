// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// constexpr functions and variables and if constexpr in device code, with values computed at
// compile time and at run time.
// flags: --expt-relaxed-constexpr
#include "check.h"
#include <type_traits>

constexpr int power(int base, int exponent) {
  int result = 1;
  for (int i = 0; i < exponent; ++i)
    result *= base;
  return result;
}

constexpr int ten = 10, thousand = 1000;
__constant__ int deviceTable[power(2, 3)] = {power(3, 0), power(3, 1), power(3, 2)};

template <class T> __device__ int describe(T value) {
  if constexpr (std::is_pointer_v<T>)
    return *value;
  else if constexpr (std::is_floating_point_v<T>)
    return int(value * 2);
  else
    return value;
}

__global__ void evaluate(int *out, int exponent) {
  constexpr int atCompileTime = power(2, 10);
  out[0] = atCompileTime;
  out[1] = power(3, exponent);
  out[2] = deviceTable[exponent - 2];
  out[3] = thousand + ten;
  const int seven = 7;
  out[4] = describe(&seven) * 10000 + describe(4.5) * 100 + describe(short(5));
  static_assert(power(2, 5) == 32, "computed by the compiler");
  int sized[power(2, 4)];
  out[5] = sizeof sized;
}

int main() {
  DeviceBuffer<int> out(6);
  evaluate<<<1, 1>>>(out, 4);
  const int expected[6] = {1024, 81, 9, 1010, 70905, 64};
  const std::vector<int> result = out.download();
  for (int i = 0; i < 6; ++i)
    CHECK_EQ(result[i], expected[i]);
  RETURN_RESULT();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variadic templates and fold expressions in kernels and device functions, with parameter packs
// as kernel arguments.
#include "check.h"

template <class... T> __device__ double sumAll(T... values) { return (0.0 + ... + values); }

__device__ int countAll() { return 0; }
template <class First, class... Rest> __device__ int countAll(First, Rest... rest) {
  return 1 + countAll(rest...);
}

template <class... T> __global__ void gather(double *out, T... values) {
  out[0] = sumAll(values...);
  out[1] = countAll(values...);
  out[2] = sizeof...(T);
  const double list[] = {double(values)...};
  out[3] = list[sizeof...(T) - 1];
}

template <int... values> __global__ void product(double *out) { *out = (1 * ... * values); }

int main() {
  DeviceBuffer<double> out(5);
  gather<<<1, 1>>>(out.data(), 1, 2.5f, char(3), 4.25, 5ull, short(-6));
  product<2, 3, 7><<<1, 1>>>(out + 4);
  const std::vector<double> result = out.download();
  CHECK_EQ(result[0], 9.75);
  CHECK_EQ(result[1], 6);
  CHECK_EQ(result[2], 6);
  CHECK_EQ(result[3], -6);
  CHECK_EQ(result[4], 42);
  RETURN_RESULT();
}

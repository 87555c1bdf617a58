// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// #pragma unroll with a factor, 1 and none, on loops with known and unknown trip counts: the
// same results as not unrolled.
#include "check.h"

template <int factor> __device__ unsigned sumTo(int n) {
  unsigned sum = 0;
#pragma unroll factor
  for (int i = 0; i < n; ++i)
    sum = sum * 3 + i;
  return sum;
}

__global__ void sumAll(int *out) {
  const int t = threadIdx.x;
  unsigned plain = 0;
#pragma unroll 1
  for (int i = 0; i < t; ++i)
    plain = plain * 3 + i;
  int values[8];
#pragma unroll
  for (int i = 0; i < 8; ++i)
    values[i] = i * t;
  int known = 0;
#pragma unroll 4
  for (int i = 0; i < 8; ++i)
    known += values[7 - i] * i;
  out[2 * t] = (plain == sumTo<4>(t)) + 2 * (plain == sumTo<7>(t));
  out[2 * t + 1] = known;
}

int main() {
  DeviceBuffer<int> out(64);
  sumAll<<<1, 32>>>(out);
  const std::vector<int> result = out.download();
  for (int t = 0; t < 32; ++t) {
    CHECK_EQ(result[2 * t], 3);
    CHECK_EQ(result[2 * t + 1], 56 * t);
  }
  RETURN_RESULT();
}

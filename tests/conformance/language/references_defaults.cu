// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// References (also returned ones and to const), default arguments, overloads and structured
// bindings in device functions.
#include "check.h"

struct Pair {
  int a;
  double b;
};

__device__ void exchange(int &a, int &b) {
  const int old = a;
  a = b;
  b = old;
}
__device__ int &element(int *values, int i) { return values[i]; }
__device__ int scaled(int value, int factor = 10, const int &offset = 3) {
  return value * factor + offset;
}
__device__ Pair makePair(int value) { return {value, value * 0.5}; }
__device__ int overloaded(int) { return 1; }
__device__ int overloaded(double) { return 2; }
__device__ int overloaded(const char *) { return 3; }
__device__ int overloaded(float2) { return 4; }

__global__ void useReferences(double *out) {
  const int t = threadIdx.x;
  int values[2] = {t, 100};
  exchange(values[0], values[1]);
  element(values, 1) += 5;
  auto [a, b] = makePair(t);
  const int &alias = values[0];
  values[0] += 1;
  int sum = 0;
  for (int value : values)
    sum += value;
  out[t] = sum + alias + scaled(1) + scaled(1, 2) + scaled(1, 2, t) + a + b +
           1000 * (overloaded(1) + 10 * overloaded(1.0) + 100 * overloaded("x") +
                   1000 * overloaded(float2()));
}

int main() {
  DeviceBuffer<double> out(32);
  useReferences<<<1, 32>>>(out);
  const std::vector<double> result = out.download();
  for (int t = 0; t < 32; ++t)
    CHECK_EQ(result[t], 101 + t + 5 + 101 + 13 + 5 + 2 + t + t + 0.5 * t + 4321000);
  RETURN_RESULT();
}

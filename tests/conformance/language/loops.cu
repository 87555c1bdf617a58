// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nested loops with break, continue and return, do-while and infinite loops, whose exits differ
// between the lanes of a warp.
#include "check.h"

__host__ __device__ int loopA(int t) {
  int sum = 0;
  for (int i = 0; i < t; ++i) {
    if (i % 3 == 0)
      continue;
    for (int j = i;; ++j) {
      if (j > t + 2)
        break;
      if ((i + j) % 5 == 4)
        continue;
      sum += i * j;
      if (sum > 5000)
        return -sum;
    }
    if (i == 13)
      break;
  }
  return sum;
}

__host__ __device__ int collatz(unsigned t) {
  int steps = 0;
  unsigned value = t + 1;
  while (value != 1) {
    value = value % 2 ? 3 * value + 1 : value / 2;
    ++steps;
  }
  return steps;
}

__host__ __device__ int gcd(int a, int b) {
  do {
    const int rest = a % b;
    a = b;
    b = rest;
  } while (b != 0);
  return a;
}

__global__ void loopAll(int *out) {
  const int t = threadIdx.x;
  int *own = out + 3 * t;
  own[0] = loopA(t);
  own[1] = collatz(t);
  own[2] = gcd(t * 6, t % 10 + 4);
}

int main() {
  const int threads = 100;
  DeviceBuffer<int> out(3 * threads);
  loopAll<<<1, threads>>>(out);
  const std::vector<int> result = out.download();
  for (int t = 0; t < threads; ++t) {
    CHECK_EQ(result[3 * t], loopA(t));
    CHECK_EQ(result[3 * t + 1], collatz(t));
    CHECK_EQ(result[3 * t + 2], gcd(t * 6, t % 10 + 4));
  }
  RETURN_RESULT();
}

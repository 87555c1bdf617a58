// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lambdas inside device code: captures by reference and by value, generic, mutable, and returned
// from a function.
#include "check.h"

__device__ auto makeAdder(int amount) {
  return [amount](int value) { return value + amount; };
}

template <class F> __device__ int twice(F function, int value) { return function(function(value)); }

__global__ void useLambdas(int *out) {
  const int t = threadIdx.x;
  int sum = 0;
  auto accumulate = [&sum, t](int value) { sum += value * t; };
  accumulate(2);
  accumulate(3);
  auto generic = [](auto a, auto b) { return a * b; };
  auto counter = [n = 0]() mutable { return ++n; };
  counter();
  counter();
  out[t] = sum * 1000 + twice(makeAdder(t), 1) + int(generic(2.5, 4)) + counter();
}

int main() {
  DeviceBuffer<int> out(32);
  useLambdas<<<1, 32>>>(out);
  const std::vector<int> result = out.download();
  for (int t = 0; t < 32; ++t)
    CHECK_EQ(result[t], 5 * t * 1000 + 2 * t + 1 + 10 + 3);
  RETURN_RESULT();
}

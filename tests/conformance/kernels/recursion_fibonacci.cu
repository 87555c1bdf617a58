// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Recursion on the device whose depth differs between lanes: Fibonacci numbers and the Ackermann
// function need a call stack for each thread.
#include "check.h"

__device__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

__device__ int ackermann(int m, int n) {
  if (m == 0)
    return n + 1;
  return ackermann(m - 1, n == 0 ? 1 : ackermann(m, n - 1));
}

__global__ void recurse(int *out) {
  const int i = threadIdx.x;
  out[i] = fibonacci(i % 16);
  out[32 + i] = ackermann(i % 3, i / 8);
}

int main() {
  CHECK_CUDA(cudaDeviceSetLimit(cudaLimitStackSize, 16 * 1024));
  DeviceBuffer<int> out(64);
  recurse<<<1, 32>>>(out);
  const std::vector<int> result = out.download();
  const int fibonacci[16] = {0, 1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 233, 377, 610};
  for (int i = 0; i < 32; ++i) {
    const int n = i / 8, expected[3] = {n + 1, n + 2, 2 * n + 3};
    CHECK_EQ(result[i], fibonacci[i % 16]);
    CHECK_EQ(result[32 + i], expected[i % 3]);
  }
  RETURN_RESULT();
}

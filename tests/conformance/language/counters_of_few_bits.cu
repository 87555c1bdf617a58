// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers of which only a few bits matter: compilers count in three bits where the program says
// & 7. Each thread has its own, while it waits for others, and while some of them call functions.
#include "check.h"

__device__ int steps(int depth, int left) { // recursive: a call for each thread
  return left <= 0 ? depth : steps(depth + 1, left - 1);
}

__global__ void count(int *out, const int *in, int *calls, int extra) {
  __shared__ int seen[64];
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  int turns = (in[i] + extra) & 7, sum = 0;
  while (turns-- > 0) {
    const int left = turns;
    seen[t] = left;
    __syncwarp(__activemask());
    if ((left ^ t) & 1)
      sum += steps(0, left & 3);
    atomicAdd(&calls[i % 5], 1);
    for (int k = 0; k < ((extra + left) & 7); ++k)
      sum += in[k] + seen[t];
    sum ^= ((left * 3) & 7) << 8;
  }
  out[i] = sum;
}

int main() {
  constexpr int threads = 64, n = 4 * threads, extra = 13;
  std::vector<int> numbers(n);
  for (int i = 0; i < n; ++i)
    numbers[i] = i * 37 % 101 - 50;
  const DeviceBuffer<int> in(numbers);
  DeviceBuffer<int> out(n), calls(std::vector<int>(5));
  count<<<n / threads, threads>>>(out, in, calls, extra);
  const auto result = out.download(), called = calls.download();
  std::vector<int> expected(5);
  for (int i = 0; i < n; ++i) {
    int turns = (numbers[i] + extra) & 7, sum = 0;
    while (turns-- > 0) {
      const int left = turns;
      if ((left ^ (i % threads)) & 1)
        sum += left & 3;
      ++expected[i % 5];
      for (int k = 0; k < ((extra + left) & 7); ++k)
        sum += numbers[k] + left;
      sum ^= ((left * 3) & 7) << 8;
    }
    CHECK_EQ(result[i], sum);
  }
  for (int i = 0; i < 5; ++i)
    CHECK_EQ(called[i], expected[i]);
  RETURN_RESULT();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Mutual recursion, recursion with a local array in each frame and a barrier-free depth that
// differs between lanes.
#include "check.h"

__device__ int isOdd(int n);
__device__ int isEven(int n) { return n == 0 ? 1 : isOdd(n - 1); }
__device__ int isOdd(int n) { return n == 0 ? 0 : isEven(n - 1); }

__device__ int permutations(int *values, int first, int n) {
  if (first == n)
    return values[0] < values[n - 1];
  int count = 0;
  for (int i = first; i < n; ++i) {
    int copy[5];
    for (int k = 0; k < n; ++k)
      copy[k] = values[k];
    copy[first] = values[i];
    copy[i] = values[first];
    count += permutations(copy, first + 1, n);
  }
  return count;
}

__global__ void recurse(int *out) {
  const int t = threadIdx.x;
  out[t] = isEven(t);
  int values[5] = {0, 1, 2, 3, 4};
  out[32 + t] = permutations(values, 0, 1 + t % 5);
}

int main() {
  CHECK_CUDA(cudaDeviceSetLimit(cudaLimitStackSize, 16 * 1024));
  DeviceBuffer<int> out(64);
  recurse<<<1, 32>>>(out);
  const std::vector<int> result = out.download();
  const int counts[5] = {0, 1, 3, 12, 60}; // half of n! for n > 1
  for (int t = 0; t < 32; ++t) {
    CHECK_EQ(result[t], t % 2 == 0);
    CHECK_EQ(result[32 + t], counts[t % 5]);
  }
  RETURN_RESULT();
}

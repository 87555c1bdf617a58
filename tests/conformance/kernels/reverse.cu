// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Array reversal in place through static and through dynamic shared memory: fails if the barrier
// or the dynamic size is ignored.
#include "check.h"

__global__ void reverseStatic(int *data, int n) {
  __shared__ int copy[256];
  const int t = threadIdx.x;
  copy[t] = data[t];
  __syncthreads();
  data[t] = copy[n - 1 - t];
}

__global__ void reverseDynamic(int *data, int n) {
  extern __shared__ int copy[];
  const int t = threadIdx.x;
  copy[t] = data[t];
  __syncthreads();
  data[t] = copy[n - 1 - t];
}

int main() {
  const int n = 256;
  std::vector<int> values(n);
  for (int i = 0; i < n; ++i)
    values[i] = i * i;
  DeviceBuffer<int> first(values), second(values);
  reverseStatic<<<1, n>>>(first, n);
  reverseDynamic<<<1, n, n * sizeof(int)>>>(second, n);
  const std::vector<int> a = first.download(), b = second.download();
  for (int i = 0; i < n; ++i) {
    CHECK_EQ(a[i], (n - 1 - i) * (n - 1 - i));
    CHECK_EQ(b[i], (n - 1 - i) * (n - 1 - i));
  }
  RETURN_RESULT();
}

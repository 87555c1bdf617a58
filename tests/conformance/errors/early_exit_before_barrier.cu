// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads, and whole warps, that leave before a barrier are not waited for.
#include "check.h"

__global__ void sumOfRest(int n, int *out) {
  __shared__ int values[256];
  const int t = threadIdx.x;
  values[t] = 0;
  if (t >= n)
    return;
  values[t] = t + 1;
  __syncthreads();
  for (int stride = 128; stride > 0; stride /= 2) {
    if (t < stride && t + stride < n)
      values[t] += values[t + stride];
    __syncthreads();
  }
  if (t == 0)
    out[blockIdx.x] = values[0];
}

int main() {
  for (int n : {1, 31, 32, 33, 100, 224, 256}) {
    DeviceBuffer<int> out(20);
    sumOfRest<<<20, 256>>>(n, out);
    for (int sum : out.download())
      CHECK_EQ(sum, n * (n + 1) / 2);
  }
  RETURN_RESULT();
}

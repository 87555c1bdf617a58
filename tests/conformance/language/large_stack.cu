// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// 8 KB of local arrays in each of 256 threads, within cudaLimitStackSize or beyond it: locals
// need no limit to be raised.
#include "check.h"

__global__ void useStack(const int *order, int *out) {
  int values[2048];
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = 0; i < 2048; ++i)
    values[i] = t + i;
  for (int i = 0; i < 2048; ++i)
    values[order[i]] += i;
  int sum = 0;
  for (int i = 0; i < 2048; i += 7)
    sum += values[order[i]];
  out[t] = sum;
}

int main() {
  std::vector<int> order(2048);
  for (int i = 0; i < 2048; ++i)
    order[i] = i * 1021 % 2048;
  DeviceBuffer<int> deviceOrder(order), out(256);
  useStack<<<2, 128>>>(deviceOrder, out);
  const std::vector<int> result = out.download();
  for (int t = 0; t < 256; ++t) {
    int sum = 0;
    for (int i = 0; i < 2048; i += 7)
      sum += t + order[i] + i;
    CHECK_EQ(result[t], sum);
  }
  RETURN_RESULT();
}

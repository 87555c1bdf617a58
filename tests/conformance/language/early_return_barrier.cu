// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads that have returned do not hold up __syncthreads for the rest of the block: whole
// warps, half warps and all but one thread.
#include "check.h"

__global__ void someReturn(int *out, int remaining) {
  __shared__ int values[128];
  const int t = threadIdx.x;
  if (t >= remaining)
    return;
  values[t] = t;
  for (int round = 0; round < 3; ++round) {
    __syncthreads();
    const int next = values[(t + 1) % remaining];
    __syncthreads();
    values[t] = next;
  }
  out[t] = values[t];
}

__global__ void returnInTheMiddle(int *out) {
  __shared__ int sum;
  const int t = threadIdx.x;
  if (t == 0)
    sum = 0;
  __syncthreads();
  atomicAdd(&sum, 1);
  __syncthreads();
  if (t % 2)
    return;
  atomicAdd(&sum, 10);
  __syncthreads();
  if (t)
    return;
  *out = sum;
}

int main() {
  for (int remaining : {128, 96, 70, 16, 1}) {
    DeviceBuffer<int> out(128);
    someReturn<<<2, 128>>>(out, remaining);
    const std::vector<int> result = out.download();
    for (int t = 0; t < 128; ++t)
      CHECK_EQ(result[t], t < remaining ? (t + 3) % remaining : 0);
  }
  DeviceBuffer<int> sum(1);
  returnInTheMiddle<<<1, 100>>>(sum);
  CHECK_EQ(sum.download()[0], 100 + 500);
  RETURN_RESULT();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shared memory belongs to one block: blocks that run after or beside each other do not see each
// other's values.
#include "check.h"

__global__ void fill(int *wrong) {
  __shared__ int values[128];
  const int t = threadIdx.x;
  values[t] = blockIdx.x * 1000 + t;
  __syncthreads();
  for (int i = 0; i < 20; ++i) {
    if (values[(t + i) % 128] != blockIdx.x * 1000 + (t + i) % 128)
      atomicAdd(wrong, 1);
    __syncthreads();
  }
}

int main() {
  DeviceBuffer<int> wrong(1);
  fill<<<200, 128>>>(wrong);
  CHECK_EQ(wrong.download()[0], 0);
  RETURN_RESULT();
}

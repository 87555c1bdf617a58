// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// __managed__ variables are read and written by host and device under one name.
#include "check.h"

struct Totals {
  int count;
  double sum;
};

__managed__ int values[64] = {3, 2, 1};
__managed__ Totals totals;
__device__ __managed__ float scale = 0.5f;

__global__ void accumulate() {
  atomicAdd(&totals.count, 1);
  atomicAdd(&totals.sum, double(scale * values[threadIdx.x]));
  values[threadIdx.x] *= 2;
}

int main() {
  CHECK_EQ(values[0], 3);
  CHECK_EQ(values[2], 1);
  CHECK_EQ(scale, 0.5f);
  for (int i = 0; i < 64; ++i)
    values[i] += i;
  accumulate<<<1, 64>>>();
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(totals.count, 64);
  CHECK_EQ(totals.sum, 0.5 * (63 * 32 + 6));
  CHECK_EQ(values[1], 2 * (1 + 2));
  scale = 2;
  accumulate<<<1, 1>>>();
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(totals.count, 65);
  CHECK_EQ(totals.sum, 0.5 * (63 * 32 + 6) + 2 * 6);
  RETURN_RESULT();
}

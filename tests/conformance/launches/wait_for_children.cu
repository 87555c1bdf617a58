// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -rdc=true -lcudadevrt -arch=sm_80 -DCUDA_FORCE_CDP1_IF_SUPPORTED
// hardware: skip needs a GPU before sm_90
//
// Before CDP2: a thread waits for what its block has launched, and sees what the children wrote.
#include "../check.h"

__global__ void child(int *values) { values[threadIdx.x] *= 2; }

__global__ void parent(int *values, int *sum) {
  values[threadIdx.x] = threadIdx.x + 1;
  __syncthreads();
  if (threadIdx.x == 0) {
    child<<<1, 32>>>(values);
    sum[1] = cudaDeviceSynchronize();
  }
  __syncthreads();
  atomicAdd(sum, values[31 - threadIdx.x]);
}

int main() {
  DeviceBuffer<int> values(32), sum(2);
  parent<<<1, 32>>>(values, sum);
  CHECK_EQ(sum.download()[0], 32 * 33);
  CHECK_EQ(sum.download()[1], 0);
  RETURN_RESULT();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -rdc=true -lcudadevrt
//
// Children have shared memory of their own, static and dynamic; the parent's stays as it was.
#include "../check.h"

extern __shared__ int dynamic[];

__global__ void child(int *out, int count) {
  __shared__ int fixed[64];
  fixed[threadIdx.x] = threadIdx.x;
  for (int i = threadIdx.x; i < count; i += blockDim.x)
    dynamic[i] = i;
  __syncthreads();
  if (threadIdx.x == 0) {
    int sum = 0;
    for (int i = 0; i < count; ++i)
      sum += dynamic[i];
    for (int i = 0; i < 64; ++i)
      sum += fixed[i] * 1000;
    *out = sum;
  }
}

__global__ void parent(int *out) {
  __shared__ int mine[32];
  mine[threadIdx.x] = threadIdx.x * 3;
  dynamic[threadIdx.x] = threadIdx.x * 7;
  __syncthreads();
  child<<<1, 64, (100 + threadIdx.x) * sizeof(int)>>>(out + threadIdx.x, 100 + threadIdx.x);
  __syncthreads();
  out[32 + threadIdx.x] = mine[31 - threadIdx.x] + dynamic[31 - threadIdx.x];
}

int main() {
  DeviceBuffer<int> out(64);
  parent<<<1, 32, 32 * sizeof(int)>>>(out);
  const std::vector<int> got = out.download();
  for (int i = 0; i < 32; ++i) {
    CHECK_EQ(got[i], (100 + i) * (99 + i) / 2 + 63 * 32 * 1000);
    CHECK_EQ(got[32 + i], (31 - i) * 10);
  }
  RETURN_RESULT();
}

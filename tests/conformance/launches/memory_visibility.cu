// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -rdc=true -lcudadevrt
//
// A child sees what its thread wrote before the launch, and, behind a barrier, what the block did;
// what comes after the parent sees what the children wrote.
#include "../check.h"

__device__ int table[256];

__global__ void child(int *sums, int *local) {
  int sum = 0;
  for (int i = 0; i < 256; ++i)
    sum += table[i];
  sums[blockIdx.x] = sum + *local;
}

__global__ void parent(int *sums, int *locals) {
  table[threadIdx.x] = threadIdx.x;
  locals[threadIdx.x] = 1000 + threadIdx.x;
  __syncthreads();
  if (threadIdx.x % 32 == 5)
    child<<<2, 1>>>(sums + threadIdx.x / 32 * 2, locals + threadIdx.x);
}

__global__ void after(int *sums) { sums[threadIdx.x] *= 2; }

int main() {
  DeviceBuffer<int> sums(16), locals(256);
  parent<<<1, 256>>>(sums, locals);
  after<<<1, 16>>>(sums);
  const std::vector<int> got = sums.download();
  for (int i = 0; i < 16; ++i)
    CHECK_EQ(got[i], 2 * (255 * 128 + 1000 + i / 2 * 32 + 5));
  RETURN_RESULT();
}

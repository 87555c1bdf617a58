// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -rdc=true -lcudadevrt
//
// cudaStreamTailLaunch: what is launched into it runs when the grid and all its children have
// ended, one grid after the other, and before what comes next in the host's stream.
#include "../check.h"

__device__ int order[16], length;

__global__ void note(int what) { order[atomicAdd(&length, 1)] = what; }
__global__ void slow(int what) {
  long long start = clock64();
  while (clock64() - start < 100000)
    ;
  note<<<1, 1>>>(what);
}
__global__ void tail_with_tail() {
  note<<<1, 1, 0, cudaStreamTailLaunch>>>(4);
  slow<<<1, 1>>>(3);
}
__global__ void parent() {
  tail_with_tail<<<1, 1, 0, cudaStreamTailLaunch>>>();
  note<<<1, 1, 0, cudaStreamTailLaunch>>>(5);
  slow<<<1, 1>>>(1);
  slow<<<1, 1>>>(2);
}

int main() {
  parent<<<1, 1>>>();
  note<<<1, 1>>>(6);
  CHECK_CUDA(cudaDeviceSynchronize());
  int got[16], count;
  CHECK_CUDA(cudaMemcpyFromSymbol(got, order, sizeof got));
  CHECK_CUDA(cudaMemcpyFromSymbol(&count, length, sizeof count));
  CHECK_EQ(count, 6);
  for (int i = 0; i < 6; ++i)
    CHECK_EQ(got[i], i + 1);
  RETURN_RESULT();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A mask that names a lane which is elsewhere: the kernel never ends.
#include <cstdio>
__global__ void absent(int *out) {
  if (threadIdx.x < 16)
    out[threadIdx.x] = __shfl_sync(~0u, int(threadIdx.x), 0); // mask-names-absent:a
  __syncthreads();                                            // mask-names-absent:a
}
int main() {
  int *out;
  cudaMalloc(&out, 4096);
  absent<<<1, 32>>>(out);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -rdc=true -lcudadevrt
//
// A stream is known to all threads of the grid that made it.
#include "../check.h"

__global__ void add(int *sum, int value) { *sum += value; }

__global__ void parent(int *sum) {
  __shared__ cudaStream_t stream;
  if (threadIdx.x == 0)
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  __syncthreads();
  add<<<1, 1, 0, stream>>>(sum, threadIdx.x);
  __syncthreads();
  if (threadIdx.x == 0)
    cudaStreamDestroy(stream);
}

int main() {
  DeviceBuffer<int> sum(1);
  parent<<<1, 100>>>(sum);
  CHECK_EQ(sum.download()[0], 4950);
  RETURN_RESULT();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Text printed on the device reaches standard output at a synchronising call, once per thread.
// stdout-contains: hello from block 1, thread 0
// stdout-contains: hello from block 0, thread 1
#include "check.h"

__global__ void hello() {
  printf("hello from block %d, thread %d\n", int(blockIdx.x), int(threadIdx.x));
}

int main() {
  hello<<<2, 1>>>();
  CHECK_CUDA(cudaDeviceSynchronize());
  hello<<<1, 2>>>();
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(cudaGetLastError(), cudaSuccess);
  RETURN_RESULT();
}

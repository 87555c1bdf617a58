// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device printf returns the number of arguments it got, and each thread of a block prints its
// own text.
// stdout-contains: thread 0 of block 2
// stdout-contains: thread 63 of block 0
// stdout-contains: thread 40 of block 1
#include "check.h"

__global__ void show(int *out) {
  out[0] = printf("none\n");
  out[1] = printf("%d\n", 1);
  out[2] = printf("%d %s %f\n", 1, "two", 3.0);
}

__global__ void showAll() { printf("thread %d of block %d\n", int(threadIdx.x), int(blockIdx.x)); }

int main() {
  DeviceBuffer<int> out(3);
  show<<<1, 1>>>(out);
  const std::vector<int> result = out.download();
  CHECK_EQ(result[0], 0);
  CHECK_EQ(result[1], 1);
  CHECK_EQ(result[2], 3);
  showAll<<<3, 64>>>();
  CHECK_CUDA(cudaDeviceSynchronize());
  RETURN_RESULT();
}

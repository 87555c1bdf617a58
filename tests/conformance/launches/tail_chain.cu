// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -rdc=true -lcudadevrt
//
// A grid may launch itself into its tail again and again: that is a loop, and no nesting.
#include "../check.h"

__global__ void step(int *count, int left) {
  ++*count;
  if (left > 1)
    step<<<1, 1, 0, cudaStreamTailLaunch>>>(count, left - 1);
}

int main() {
  DeviceBuffer<int> count(1);
  step<<<1, 1>>>(count, 5000);
  CHECK_EQ(count.download()[0], 5000);
  RETURN_RESULT();
}

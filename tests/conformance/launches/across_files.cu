// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -rdc=true -lcudadevrt
// also: parts/child.cu
//
// A kernel launches kernels of another file, by name and by pointer.
#include "../check.h"

__global__ void child(int *to, int value);
__device__ void (*given())(int *, int);

__global__ void parent(int *to) {
  child<<<1, 1>>>(to, 5);
  given()<<<1, 1>>>(to + 1, 6);
}

int main() {
  DeviceBuffer<int> to(2);
  parent<<<1, 1>>>(to);
  CHECK_EQ(to.download()[0], 5);
  CHECK_EQ(to.download()[1], -6);
  RETURN_RESULT();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -rdc=true -lcudadevrt
// hardware: skip the message is Heddle's
// stderr-contains: in kernel broken(int*)
// stderr-contains: launched by kernel middle(int*)
// stderr-contains: launched by kernel root(int*)
//
// A child that fails takes all grids above it along; the host sees its error when it waits.
#include "../check.h"

__global__ void broken(int *wild) { *wild = 1; }
__global__ void middle(int *wild) {
  if (threadIdx.x == 5)
    broken<<<1, 1>>>(wild);
}
__global__ void root(int *wild) { middle<<<1, 32>>>(wild); }

int main() {
  root<<<1, 1>>>(reinterpret_cast<int *>(16));
  CHECK_EQ(cudaGetLastError(), cudaSuccess);
  CHECK_EQ(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
  CHECK_EQ(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
  RETURN_RESULT();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// On a fault Heddle tells on stderr which kernel, block, thread and source line it was.
// flags: -lineinfo
// stderr-contains: illegal memory access
// stderr-contains: writeDiagonal
// stderr-contains: block (1,2,0)
// stderr-contains: thread (3,4,0)
// stderr-contains: fault_message.cu:17
// hardware: skip a GPU does not say where
#include "check.h"

__global__ void writeDiagonal(int *good, int *bad) {
  const bool here = blockIdx.x == 1 && blockIdx.y == 2 && threadIdx.x == 3 && threadIdx.y == 4;
  int *p = good;
  if (here)
    p = bad;
  *p = 1;
}

int main() {
  DeviceBuffer<int> *good = new DeviceBuffer<int>(1); // cannot be freed after the fault
  writeDiagonal<<<dim3(2, 3), dim3(8, 8)>>>(good->data(), nullptr);
  CHECK_EQ(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
  RETURN_RESULT();
}

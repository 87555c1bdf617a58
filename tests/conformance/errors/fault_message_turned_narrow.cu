// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A launch that runs with x and y exchanged, and neighbouring blocks as one (fused_blocks.h), tells
// of a fault in the program's terms.
// flags: -lineinfo
// stderr-contains: illegal memory access
// stderr-contains: block (5,6,0)
// stderr-contains: thread (3,2,0)
// stderr-contains: fault_message_turned_narrow.cu:18
// hardware: skip a GPU does not say where
#include "check.h"

__global__ void writeRows(int *good, int *bad, int width) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  const bool here = x == 5 * 4 + 3 && y == 6 * 4 + 2;
  int *p = good;
  if (here)
    p = bad;
  p[x * width + y] = 1;
}

int main() {
  const int width = 16 * 4;
  auto *good = new DeviceBuffer<int>(64 * width); // cannot be freed after the fault
  writeRows<<<dim3(16, 16), dim3(4, 4)>>>(good->data(), nullptr, width);
  CHECK_EQ(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
  RETURN_RESULT();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A launch that runs with x and y exchanged (engine/simd/launch/lane_axis.h) tells of a fault in
// the program's terms.
// flags: -lineinfo
// stderr-contains: illegal memory access
// stderr-contains: block (1,2,0)
// stderr-contains: thread (3,4,0)
// stderr-contains: fault_message_turned.cu:18
// hardware: skip a GPU does not say where
#include "check.h"

__global__ void writeRows(int *good, int *bad, int width) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  const bool here = x == 16 + 3 && y == 2 * 8 + 4;
  int *p = good;
  if (here)
    p = bad;
  p[x * width + y] = 1;
}

int main() {
  const int width = 3 * 8;
  auto *good = new DeviceBuffer<int>(64 * width); // cannot be freed after the fault
  writeRows<<<dim3(4, 3), dim3(16, 8)>>>(good->data(), nullptr, width);
  CHECK_EQ(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
  RETURN_RESULT();
}

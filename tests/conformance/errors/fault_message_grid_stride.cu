// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The message of a fault names the block and the thread of the program's launch, also where an
// engine has given each element a thread of its own.
// flags: -lineinfo
// stderr-contains: in kernel scale
// stderr-contains: block (3,0,0), thread (5,0,0)
// stderr-contains: fault_message_grid_stride.cu:19
// hardware: skip a GPU does not say where
#include "check.h"

const int n = 400'000, bad = 4 * 256 * 100 + 3 * 256 + 5;

__constant__ float factors[4];

// One element's factor is far away.
__global__ void scale(int n, const float *x, float *y) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
    const long long where = i == bad ? 1ll << 42 : i % 4;
    y[i] = x[i] * factors[where];
  }
}

int main() {
  auto *x = new DeviceBuffer<float>(n), *y = new DeviceBuffer<float>(n);
  scale<<<4, 256>>>(n, x->data(), y->data());
  CHECK_EQ(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
  CHECK_EQ(cudaDeviceReset(), cudaSuccess);
  RETURN_RESULT();
}

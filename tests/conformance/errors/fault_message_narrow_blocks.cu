// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The message of a fault names the block and the thread, also where an engine has run narrow blocks
// that lie beside each other as one wide block.
// flags: -lineinfo
// stderr-contains: in kernel update
// stderr-contains: block (7,2,0), thread (5,5,0)
// stderr-contains: fault_message_narrow_blocks.cu:18
// hardware: skip a GPU does not say where
#include "check.h"

const int width = 64 * 16, height = 64 * 8;

// One thread's element is far away.
__global__ void update(const float *in, float *out, long long far) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  const long long i = (long long)y * width + x;
  const float value = in[i] + 1;
  out[x == 7 * 16 + 5 && y == 2 * 8 + 5 ? i + far : i] = value;
}

int main() {
  auto *in = new DeviceBuffer<float>(width * height); // cannot be freed after a fault
  auto *out = new DeviceBuffer<float>(width * height);
  for (const long long far : {0ll, 1ll << 44}) {
    update<<<dim3(width / 16, height / 8), dim3(16, 8)>>>(in->data(), out->data(), far);
    CHECK_EQ(cudaDeviceSynchronize(), far ? cudaErrorIllegalAddress : cudaSuccess);
  }
  CHECK_EQ(cudaDeviceReset(), cudaSuccess);
  RETURN_RESULT();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The message of a fault names the block and the thread, also where an engine has run many blocks
// that lie beside each other as if they were one.
// flags: -lineinfo
// stderr-contains: in kernel update
// stderr-contains: block (3,2,0), thread (13,5,0)
// stderr-contains: fault_message_strip.cu:21
// stderr-contains: in kernel fill
// stderr-contains: block (7,3,0)
// hardware: skip a GPU does not say where
#include "check.h"

const int width = 64 * 32, height = 64 * 8;

// One thread's element is far away.
__global__ void update(const float *in, float *out, long long far) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  const bool here = blockIdx.x == 3 && blockIdx.y == 2 && threadIdx.x == 13 && threadIdx.y == 5;
  const long long i = (long long)y * width + x;
  const float value = in[i] + 1;
  out[here ? i + far : i] = value;
}

// All of a block's are: nothing but stores, each block's to another place.
__global__ void fill(float *out, long long far) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  const long long away = blockIdx.x == 7 && blockIdx.y == 3 ? far : 0;
  out[away + (long long)y * width + x] = 1;
}

int main() {
  const dim3 grid(width / 32, height / 8), block(32, 8);
  const long long far = 1ll << 44;
  for (int kernel = 0; kernel < 2; ++kernel) {
    auto *in = new DeviceBuffer<float>(width * height); // cannot be freed after a fault
    auto *out = new DeviceBuffer<float>(width * height);
    for (const long long distance : {0ll, 0ll, 0ll, far}) { // first see how long blocks take
      if (kernel == 0)
        update<<<grid, block>>>(in->data(), out->data(), distance);
      else
        fill<<<grid, block>>>(out->data(), distance);
      CHECK_EQ(cudaDeviceSynchronize(), distance ? cudaErrorIllegalAddress : cudaSuccess);
    }
    CHECK_EQ(cudaDeviceReset(), cudaSuccess);
  }
  RETURN_RESULT();
}

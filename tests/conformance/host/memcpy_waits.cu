// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A blocking copy is work of the default stream: it waits for kernels before it there and in
// blocking streams, and has happened when it returns.
#include "check.h"

__global__ void slowFill(int *data, int value, int rounds) {
  unsigned x = threadIdx.x;
  for (int i = 0; i < rounds; ++i)
    x = x * 1664525u + 1013904223u;
  data[blockIdx.x * blockDim.x + threadIdx.x] = value + (x == 0x12345678u && rounds < 0);
}

int main() {
  const int n = 256;
  DeviceBuffer<int> data(n);
  std::vector<int> host(n);
  cudaStream_t stream;
  CHECK_CUDA(cudaStreamCreate(&stream));
  for (int round = 1; round <= 5; ++round) {
    slowFill<<<n / 64, 64, 0, round % 2 ? stream : 0>>>(data, round, 20000);
    CHECK_CUDA(cudaMemcpy(host.data(), data, n * sizeof(int), cudaMemcpyDeviceToHost));
    for (int value : host)
      CHECK_EQ(value, round);
  }
  CHECK_CUDA(cudaStreamDestroy(stream));
  RETURN_RESULT();
}

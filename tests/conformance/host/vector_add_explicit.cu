// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Vector addition with explicit copies: 7 + 12 = 19 in 2^24 elements, and with a __constant__
// summand set by the host.
#include "vector_add.h"

__constant__ float extra;

__global__ void addExtra(float *c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] += extra;
}

int main() {
  const int n = vectorLength;
  const std::vector<float> a(n, 7), b(n, 12);
  DeviceBuffer<float> deviceA(a), deviceB(b), deviceC(n);
  launchAdd(deviceA, deviceB, deviceC, n);
  std::vector<float> c = deviceC.download();
  CHECK_EQ(countOthers(c.data(), n, 19), 0);
  const float value = 0.5f;
  CHECK_CUDA(cudaMemcpyToSymbol(extra, &value, sizeof value));
  addExtra<<<(n + 1023) / 1024, 1024>>>(deviceC, n);
  c = deviceC.download();
  CHECK_EQ(countOthers(c.data(), n, 19.5f), 0);
  RETURN_RESULT();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions that promise a value and end without one, as beginners write them. As long as no caller
// uses the value, nothing happens on a GPU.
#include "check.h"

#pragma clang diagnostic ignored "-Wreturn-type"

__device__ int store(int *out, int i, int value) { out[i] = value; }

__device__ __noinline__ float storeIf(float *out, int i, bool wanted) {
  if (wanted) {
    out[i] = float(i);
    return 1;
  }
  out[i] = -1;
}

__global__ void fill(int *out, float *others) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  store(out, i, i * 2);
  storeIf(others, i, i % 3 == 0);
}

int main() {
  DeviceBuffer<int> out(std::vector<int>(256, 0));
  DeviceBuffer<float> others(std::vector<float>(256, 0));
  fill<<<4, 64>>>(out.data(), others.data());
  const std::vector<int> numbers = out.download();
  const std::vector<float> floats = others.download();
  for (int i = 0; i < 256; ++i) {
    CHECK_EQ(numbers[i], i * 2);
    CHECK_EQ(floats[i], i % 3 ? -1.0f : float(i));
  }
  RETURN_RESULT();
}

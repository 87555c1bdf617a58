// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launching by calls: cudaLaunchKernel with an argument array, cudaLaunchKernelEx, and a kernel
// through a function pointer.
#include "check.h"

struct Pair {
  char tag;
  double value;
};

__global__ void store(double *out, char c, Pair pair, short s, const float *p) {
  out[blockIdx.x * blockDim.x + threadIdx.x] = c + pair.tag + pair.value + s + *p;
}

int main() {
  DeviceBuffer<double> out(8);
  DeviceBuffer<float> number(std::vector<float>({0.25f}));
  double *outPointer = out;
  const float *numberPointer = number;
  char c = 1;
  Pair pair = {2, 1000.5};
  short s = -300;
  void *arguments[] = {&outPointer, &c, &pair, &s, &numberPointer};
  CHECK_CUDA(cudaLaunchKernel((const void *)store, dim3(2), dim3(4), arguments, 0, 0));
  c = 50; // the launch has taken the values
  pair.value = 0;
  for (double value : out.download())
    CHECK_EQ(value, 1 + 2 + 1000.5 - 300 + 0.25);

  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(4);
  config.blockDim = dim3(2);
  CHECK_CUDA(cudaLaunchKernelEx(&config, store, outPointer, c, pair, s, numberPointer));
  for (double value : out.download())
    CHECK_EQ(value, 50 + 2 - 300 + 0.25);

  void (*pointer)(double *, char, Pair, short, const float *) = store;
  pointer<<<1, 8>>>(outPointer, 0, pair, 0, numberPointer);
  for (double value : out.download())
    CHECK_EQ(value, 2.25);
  RETURN_RESULT();
}

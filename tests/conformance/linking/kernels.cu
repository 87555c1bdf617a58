// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that another file defines: launched, asked for their attributes, and as pointers; and
// template and inline kernels that both files have.
// flags: -rdc=true
// also: parts/kernels_there.cu
#include "check.h"
#include "parts/kernels.h"

__global__ void here(int *out) { *out = 11; }

int main() {
  DeviceBuffer<int> out(64);
  there<<<1, 64>>>(out, 5);
  CHECK_EQ(out.download()[63], 68);
  withShared<<<1, 32, 128>>>(out);
  CHECK_EQ(out.download()[0], 31);

  cudaFuncAttributes attributes = {};
  CHECK_CUDA(cudaFuncGetAttributes(&attributes, there));
  CHECK_EQ(attributes.maxThreadsPerBlock, 128);
  CHECK(kernelThere() == reinterpret_cast<const void *>(there));
  int *data = out.data(), value = 9;
  void *arguments[] = {&data, &value};
  CHECK_CUDA(cudaLaunchKernel(kernelThere(), 1, 1, arguments, 0, nullptr));
  CHECK_EQ(out.download()[0], 9);
  there<<<1, 256>>>(out, 1); // more than its launch bounds
  CHECK_EQ(cudaGetLastError(), cudaErrorInvalidValue);
  launchHere(out);
  CHECK_EQ(out.download()[0], 11);

  fill<float><<<1, 1>>>(out.data(), 2.5f);
  CHECK_EQ(out.download()[0], 25);
  fillThere(out);
  CHECK_EQ(out.download()[0], 15);
  fill<int><<<1, 1>>>(out.data(), 4); // only this file has it
  CHECK_EQ(out.download()[0], 40);
  RETURN_RESULT();
}

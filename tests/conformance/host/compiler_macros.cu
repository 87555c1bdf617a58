// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The macros that tell host and device compilation apart: __CUDA_ARCH__ only on the device and at
// least 750, __CUDACC__ and __NVCC__ in both.
#include "check.h"

#ifndef __CUDACC__
#error "__CUDACC__ must be defined in a .cu file"
#endif
#ifndef __NVCC__
#error "__NVCC__ must be defined: programs test for it"
#endif
#if __CUDACC_VER_MAJOR__ < 12
#error "the language level is CUDA 12 at least"
#endif

__host__ __device__ int architecture() {
#ifdef __CUDA_ARCH__
  return __CUDA_ARCH__;
#else
  return -1;
#endif
}

__global__ void ask(int *out) { *out = architecture(); }

int main() {
  CHECK_EQ(architecture(), -1);
  DeviceBuffer<int> out(1);
  ask<<<1, 1>>>(out);
  const int device = out.download()[0];
  CHECK(device >= 750);
  CHECK_EQ(device % 10, 0);
  cudaDeviceProp properties;
  CHECK_CUDA(cudaGetDeviceProperties(&properties, 0));
  CHECK(device <= 100 * properties.major + 10 * properties.minor);
  CHECK(CUDART_VERSION >= 12000);
  RETURN_RESULT();
}

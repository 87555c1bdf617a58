// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Macros from the command line and the ones nvcc defines: -D, __CUDACC__, __NVCC__,
// __CUDACC_VER_MAJOR__, CUDART_VERSION, __FILE__ and __LINE__ on the device.
// flags: -DANSWER=42 -DNAME=\"heddle\" -DFLAG
#include "check.h"

#ifndef FLAG
#error "-DFLAG is missing"
#endif
#ifndef __CUDACC__
#error "__CUDACC__ is missing"
#endif
#ifndef __NVCC__
#error "__NVCC__ is missing"
#endif

__global__ void useMacros(int *out) {
  out[0] = ANSWER;
  out[1] = sizeof(NAME);
  out[2] = __LINE__;
#ifdef __CUDA_ARCH__
  out[3] = 1;
#endif
  out[4] = __CUDACC_VER_MAJOR__;
  out[5] = CUDART_VERSION;
  out[6] = sizeof(__FILE__) > 10;
}

int main() {
  DeviceBuffer<int> out(7);
  useMacros<<<1, 1>>>(out);
  const std::vector<int> result = out.download();
  CHECK_EQ(result[0], 42);
  CHECK_EQ(result[1], 7);
  CHECK(result[2] > 10);
  CHECK_EQ(result[3], 1);
  CHECK(result[4] >= 11);
  CHECK_EQ(result[5], CUDART_VERSION);
  CHECK(CUDART_VERSION >= 11000);
  CHECK_EQ(result[6], 1);
  RETURN_RESULT();
}

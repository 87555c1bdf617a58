// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Code for sm_90a sees __CUDA_ARCH_FEAT_SM90_ALL, the host does not.
// flags: -arch=sm_90a
// env: HEDDLE_GPU=h200
#include "check.h"

#ifndef __CUDA_ARCH__
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
#error "features of device code are none of the host's"
#endif
#endif

__global__ void look(int *out) {
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
  out[0] = 1;
#endif
#ifdef __CUDA_ARCH__
  out[1] = __CUDA_ARCH__;
#endif
}

int main() {
  DeviceBuffer<int> out(2);
  look<<<1, 1>>>(out.data());
  const std::vector<int> seen = out.download();
  CHECK_EQ(seen[0], 1);
  CHECK_EQ(seen[1], 900);
  RETURN_RESULT();
}

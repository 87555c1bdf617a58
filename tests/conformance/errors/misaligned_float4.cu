// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A float4 at an address that is a multiple of 4 only.
#include "fault.h"

__global__ void load(const float *in, float *out, int offset) {
  const float4 v = *reinterpret_cast<const float4 *>(in + offset);
  *out = v.x + v.y + v.z + v.w;
}

int main() {
  DeviceBuffer<float> *in = new DeviceBuffer<float>(std::vector<float>({1, 2, 3, 4, 5, 6, 7, 8}));
  float *out;
  CHECK_CUDA(cudaMalloc(&out, sizeof(float)));
  load<<<1, 1>>>(in->data(), out, 4);
  CHECK_CUDA(cudaDeviceSynchronize());
  load<<<1, 1>>>(in->data(), out, 1);
  checkFault(cudaErrorMisalignedAddress);
  RETURN_RESULT();
}

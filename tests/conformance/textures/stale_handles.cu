// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A fetch from a texture whose array has been freed ends the kernel; the program goes on.
// hardware: skip on a GPU anything may happen
#include "texture.h"

__global__ void fetch(cudaTextureObject_t texture, float *out) {
  out[threadIdx.x] = tex2D<float>(texture, float(threadIdx.x), 1.0f);
}

int main() {
  cudaArray_t array = makeArray(std::vector<float>(16 * 16, 1.0f), 16, 16);
  cudaTextureObject_t texture = makeTexture(resourceOf(array));
  float *memory;
  CHECK_CUDA(cudaMalloc(&memory, 128));
  fetch<<<1, 32>>>(texture, memory);
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_CUDA(cudaFreeArray(array));
  fetch<<<1, 32>>>(texture, memory);
  CHECK_EQ(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
  CHECK_CUDA(cudaDeviceReset());
  // A null handle.
  CHECK_CUDA(cudaMalloc(&memory, 128));
  fetch<<<1, 32>>>(0, memory);
  CHECK_EQ(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
  CHECK_CUDA(cudaDeviceReset());
  cudaTextureDesc desc;
  CHECK_EQ(cudaGetTextureObjectTextureDesc(&desc, 12345), cudaErrorInvalidValue);
  CHECK_EQ(cudaDestroyTextureObject(0), cudaSuccess);
  RETURN_RESULT();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An access outside of a surface ends the kernel, unless it asks for something else.
#include "texture.h"

__global__ void write(cudaSurfaceObject_t surface) {
  surf2Dwrite(1.0f, surface, int(threadIdx.x * sizeof(float)), 0);
}

int main() {
  cudaArray_t array = makeArray(std::vector<float>(16), 16, 1, 0, cudaArraySurfaceLoadStore);
  cudaSurfaceObject_t surface = makeSurface(array);
  write<<<1, 16>>>(surface);
  CHECK_CUDA(cudaDeviceSynchronize());
  write<<<1, 17>>>(surface);
  CHECK_EQ(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
  RETURN_RESULT();
}

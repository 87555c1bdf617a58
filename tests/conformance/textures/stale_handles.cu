// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What uses a texture or surface object whose array has been freed, or that has been destroyed,
// ends with an error that says so; the program goes on.
// hardware: skip on a GPU anything may happen
// stderr-contains: the array of a texture or surface object has been freed
// stderr-contains: a texture or surface object has been destroyed
#include "texture.h"

__global__ void fetch(cudaTextureObject_t texture, float *out) {
  out[threadIdx.x] = tex2D<float>(texture, float(threadIdx.x), 1.0f);
}

__global__ void write(cudaSurfaceObject_t surface, float value) {
  surf2Dwrite(value, surface, int(threadIdx.x * sizeof(float)), 1);
}

struct Objects {
  cudaArray_t array;
  cudaTextureObject_t texture;
  cudaSurfaceObject_t surface;
  float *memory;

  explicit Objects(cudaTextureFilterMode filter) {
    array = makeArray(std::vector<float>(16 * 16, 1.0f), 16, 16, 0, cudaArraySurfaceLoadStore);
    Modes modes;
    modes.filter = filter;
    texture = makeTexture(resourceOf(array), modes);
    surface = makeSurface(array);
    CHECK_CUDA(cudaMalloc(&memory, 128));
    useTexture();
    useSurface();
    CHECK_CUDA(cudaDeviceSynchronize());
  }
  void useTexture() const { fetch<<<1, 32>>>(texture, memory); }
  void useSurface() const { write<<<1, 16>>>(surface, 2.0f); }
  static void expectFault() {
    CHECK_EQ(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
    CHECK_CUDA(cudaDeviceReset());
  }
};

int main() {
  for (const auto filter : {cudaFilterModePoint, cudaFilterModeLinear}) {
    Objects freed(filter);
    CHECK_CUDA(cudaFreeArray(freed.array));
    freed.useTexture();
    Objects::expectFault();
    Objects destroyed(filter);
    CHECK_CUDA(cudaDestroyTextureObject(destroyed.texture));
    destroyed.useTexture();
    Objects::expectFault();
  }
  Objects freed(cudaFilterModePoint);
  CHECK_CUDA(cudaFreeArray(freed.array));
  freed.useSurface();
  Objects::expectFault();
  Objects destroyed(cudaFilterModePoint);
  CHECK_CUDA(cudaDestroySurfaceObject(destroyed.surface));
  destroyed.useSurface();
  Objects::expectFault();
  // A null handle.
  float *memory;
  CHECK_CUDA(cudaMalloc(&memory, 128));
  fetch<<<1, 32>>>(0, memory);
  Objects::expectFault();
  cudaTextureDesc desc;
  CHECK_EQ(cudaGetTextureObjectTextureDesc(&desc, 12345), cudaErrorInvalidValue);
  CHECK_EQ(cudaDestroyTextureObject(0), cudaSuccess);
  RETURN_RESULT();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What arrays refuse, and what they say of themselves.
#include "texture.h"

static cudaError_t make(cudaChannelFormatDesc desc, cudaExtent extent, unsigned flags = 0) {
  cudaArray_t array = nullptr;
  const cudaError_t error = cudaMalloc3DArray(&array, &desc, extent, flags);
  if (error == cudaSuccess)
    CHECK_CUDA(cudaFreeArray(array));
  return error;
}

static void shapes() {
  const auto desc = cudaCreateChannelDesc<float>();
  CHECK_EQ(make(desc, make_cudaExtent(0, 0, 0)), cudaErrorInvalidValue);
  CHECK_EQ(make(desc, make_cudaExtent(10, 0, 0)), cudaSuccess);
  CHECK_EQ(make(desc, make_cudaExtent(4, 0, 3)), cudaErrorInvalidValue);
  CHECK_EQ(make(desc, make_cudaExtent(4, 0, 3), cudaArrayLayered), cudaSuccess);
  CHECK_EQ(make(desc, make_cudaExtent(4, 4, 0), cudaArrayLayered), cudaErrorInvalidValue);
  CHECK_EQ(make(desc, make_cudaExtent(4, 4, 3000), cudaArrayLayered), cudaErrorInvalidValue);
  CHECK_EQ(make(desc, make_cudaExtent(4, 4, 6), cudaArrayCubemap), cudaSuccess);
  CHECK_EQ(make(desc, make_cudaExtent(4, 5, 6), cudaArrayCubemap), cudaErrorInvalidValue);
  CHECK_EQ(make(desc, make_cudaExtent(4, 4, 12), cudaArrayCubemap), cudaErrorInvalidValue);
  CHECK_EQ(make(desc, make_cudaExtent(4, 4, 12), cudaArrayCubemap | cudaArrayLayered), cudaSuccess);
  CHECK_EQ(make(desc, make_cudaExtent(4, 4, 8), cudaArrayCubemap | cudaArrayLayered),
           cudaErrorInvalidValue);
  CHECK_EQ(make(desc, make_cudaExtent(4, 0, 0), cudaArrayTextureGather), cudaErrorInvalidValue);
  CHECK_EQ(make(desc, make_cudaExtent(4, 4, 4), cudaArrayTextureGather), cudaErrorInvalidValue);
  CHECK_EQ(make(desc, make_cudaExtent(4, 4, 0), 0x8000), cudaErrorInvalidValue);
  int most = 0;
  CHECK_CUDA(cudaDeviceGetAttribute(&most, cudaDevAttrMaxTexture2DWidth, 0));
  CHECK_EQ(make(desc, make_cudaExtent(size_t(most) + 1, 1, 0)), cudaErrorInvalidValue);
  CHECK_EQ(make(desc, make_cudaExtent(size_t(most), 1, 0)), cudaSuccess);
}

static void formats() {
  const cudaExtent extent = make_cudaExtent(4, 4, 0);
  const auto f = cudaChannelFormatKindFloat, u = cudaChannelFormatKindUnsigned;
  CHECK_EQ(make(cudaCreateChannelDesc(32, 32, 32, 0, f), extent),
           cudaErrorInvalidChannelDescriptor);
  CHECK_EQ(make(cudaCreateChannelDesc(32, 16, 0, 0, f), extent), cudaErrorInvalidChannelDescriptor);
  CHECK_EQ(make(cudaCreateChannelDesc(8, 0, 0, 0, f), extent), cudaErrorInvalidChannelDescriptor);
  CHECK_EQ(make(cudaCreateChannelDesc(64, 0, 0, 0, u), extent), cudaErrorInvalidChannelDescriptor);
  CHECK_EQ(make(cudaCreateChannelDesc(16, 16, 16, 16, f), extent), cudaSuccess);
}

static void information() {
  cudaArray_t array = makeArray(std::vector<float>(16 * 8), 16, 8, 0, cudaArraySurfaceLoadStore);
  cudaChannelFormatDesc desc = {};
  cudaExtent extent = {};
  unsigned flags = 0;
  CHECK_CUDA(cudaArrayGetInfo(&desc, &extent, &flags, array));
  CHECK_EQ(desc.x, 32);
  CHECK_EQ(desc.y, 0);
  CHECK_EQ(desc.f, cudaChannelFormatKindFloat);
  CHECK_EQ(extent.width, size_t(16));
  CHECK_EQ(extent.height, size_t(8));
  CHECK_EQ(extent.depth, size_t(0));
  CHECK_EQ(flags, unsigned(cudaArraySurfaceLoadStore));
  CHECK_EQ(cudaGetChannelDesc(&desc, nullptr), cudaErrorInvalidResourceHandle);
  CHECK_CUDA(cudaFreeArray(array));
  CHECK_CUDA(cudaFreeArray(nullptr));
}

static void copies() {
  cudaArray_t array = makeArray(std::vector<float>(256), 16, 16);
  cudaArray_t bytes = makeArray(std::vector<unsigned char>(256), 16, 16);
  std::vector<float> host(256);
  const auto to = [&](size_t x, size_t y, size_t pitch, size_t width, cudaMemcpyKind kind) {
    return cudaMemcpy2DToArray(array, x, y, host.data(), pitch, width, 16, kind);
  };
  CHECK_EQ(to(0, 0, 64, 64, cudaMemcpyHostToDevice), cudaSuccess);
  CHECK_EQ(to(0, 0, 64, 64, cudaMemcpyDefault), cudaSuccess);
  CHECK_EQ(to(4, 0, 64, 64, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  CHECK_EQ(to(0, 1, 64, 64, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  CHECK_EQ(to(0, 0, 32, 64, cudaMemcpyHostToDevice), cudaErrorInvalidPitchValue);
  CHECK_EQ(to(0, 0, 64, 64, cudaMemcpyDeviceToHost), cudaErrorInvalidMemcpyDirection);
  CHECK_EQ(to(0, 0, 64, 64, cudaMemcpyHostToHost), cudaErrorInvalidMemcpyDirection);
  CHECK_EQ(cudaMemcpy2DToArray(nullptr, 0, 0, host.data(), 64, 64, 16, cudaMemcpyHostToDevice),
           cudaErrorInvalidResourceHandle);
  CHECK_EQ(cudaMemcpy2DToArray(array, 0, 0, nullptr, 64, 64, 16, cudaMemcpyHostToDevice),
           cudaErrorInvalidValue);
  // Of one row the pitch may be left out.
  CHECK_EQ(cudaMemcpy2DToArray(array, 0, 0, host.data(), 0, 64, 1, cudaMemcpyHostToDevice),
           cudaSuccess);
  CHECK_EQ(cudaMemcpy2DFromArray(host.data(), 0, array, 0, 0, 64, 1, cudaMemcpyDeviceToHost),
           cudaSuccess);
  CHECK_EQ(cudaMemcpy2DToArray(array, 0, 0, host.data(), 0, 64, 2, cudaMemcpyHostToDevice),
           cudaErrorInvalidPitchValue);
  // Texels of different sizes.
  cudaMemcpy3DParms copy = {};
  copy.srcArray = array;
  copy.dstArray = bytes;
  copy.extent = make_cudaExtent(16, 16, 1);
  copy.kind = cudaMemcpyDeviceToDevice;
  CHECK_EQ(cudaMemcpy3D(&copy), cudaErrorInvalidValue);
  CHECK_CUDA(cudaFreeArray(array));
  CHECK_CUDA(cudaFreeArray(bytes));
}

int main() {
  shapes();
  formats();
  information();
  copies();
  RETURN_RESULT();
}

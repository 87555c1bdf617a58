// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Without filtering, a fetch gives the texel that the coordinates lie in: all element types, and
// one to three dimensions.
#include "texture.h"

template <class T> __global__ void fetch1(cudaTextureObject_t texture, T *out, int width) {
  const int x = int(threadIdx.x);
  if (x < width)
    out[x] = tex1D<T>(texture, float(x) + 0.5f);
}

template <class T> __global__ void fetch2(cudaTextureObject_t texture, T *out, int width) {
  const int x = int(threadIdx.x), y = int(blockIdx.x);
  if (x < width)
    out[y * width + x] = tex2D<T>(texture, float(x) + 0.25f, float(y) + 0.75f);
}

template <class T> __global__ void fetch3(cudaTextureObject_t texture, T *out, int width) {
  const int x = int(threadIdx.x), y = int(blockIdx.x), z = int(blockIdx.y);
  if (x < width)
    out[(z * int(gridDim.x) + y) * width + x] =
        tex3D<T>(texture, float(x) + 0.25f, float(y) + 0.75f, float(z));
}

template <class T> static std::vector<T> texels(size_t count) {
  std::vector<T> values(count);
  unsigned state = 1;
  auto *bytes = reinterpret_cast<unsigned char *>(values.data());
  for (size_t i = 0; i < count * sizeof(T); ++i) {
    state = state * 1664525u + 1013904223u;
    bytes[i] =
        static_cast<unsigned char>(state >> 25); // floats of any size, none that is no number
  }
  return values;
}

template <class T> static void same(const std::vector<T> &actual, const std::vector<T> &expected) {
  CHECK(std::memcmp(actual.data(), expected.data(), expected.size() * sizeof(T)) == 0);
}

template <class T> static void elements() {
  constexpr int width = 21, height = 6, depth = 3;
  const std::vector<T> all = texels<T>(width * height * depth);
  DeviceBuffer<T> out(all.size());
  {
    cudaArray_t array = makeArray(all, width);
    cudaTextureObject_t texture = makeTexture(resourceOf(array));
    fetch1<<<1, 32>>>(texture, out.data(), width);
    std::vector<T> got = out.download();
    got.resize(width);
    same(got, std::vector<T>(all.begin(), all.begin() + width));
    CHECK_CUDA(cudaDestroyTextureObject(texture));
    CHECK_CUDA(cudaFreeArray(array));
  }
  {
    cudaArray_t array = makeArray(all, width, height);
    cudaTextureObject_t texture = makeTexture(resourceOf(array));
    fetch2<<<height, 32>>>(texture, out.data(), width);
    std::vector<T> got = out.download();
    got.resize(width * height);
    same(got, std::vector<T>(all.begin(), all.begin() + width * height));
    CHECK_CUDA(cudaDestroyTextureObject(texture));
    CHECK_CUDA(cudaFreeArray(array));
  }
  cudaArray_t array = makeArray(all, width, height, depth);
  cudaTextureObject_t texture = makeTexture(resourceOf(array));
  fetch3<<<dim3(height, depth), 32>>>(texture, out.data(), width);
  same(out.download(), all);
  CHECK_CUDA(cudaDestroyTextureObject(texture));
  CHECK_CUDA(cudaFreeArray(array));
}

int main() {
  elements<float>();
  elements<float2>();
  elements<float4>();
  elements<int>();
  elements<uint2>();
  elements<int4>();
  elements<short>();
  elements<ushort2>();
  elements<short4>();
  elements<unsigned char>();
  elements<char2>();
  elements<uchar4>();
  RETURN_RESULT();
}

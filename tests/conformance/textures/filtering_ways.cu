// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Filtering gives the same bits whether a texture has mipmaps or not, and whether coordinates are
// normalised or not, where these are exact: 1/256 of a texel. Sizes are down to one texel, and
// coordinates go far beyond the borders.
#include "texture.h"

constexpr int places = 1024;

template <class T> struct Filtered {
  using type = T;
};
template <> struct Filtered<unsigned char> {
  using type = float;
};
template <> struct Filtered<uchar2> {
  using type = float2;
};
template <> struct Filtered<uchar4> {
  using type = float4;
};

template <class T, int Dimensions>
__global__ void fetch(cudaTextureObject_t texture, const float3 *at, float3 scale, T *out) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  const float x = at[i].x * scale.x, y = at[i].y * scale.y, z = at[i].z * scale.z;
  if constexpr (Dimensions == 1)
    out[i] = tex1D<T>(texture, x);
  else if constexpr (Dimensions == 2)
    out[i] = tex2D<T>(texture, x, y);
  else
    out[i] = tex3D<T>(texture, x, y, z);
}

template <class T> static std::vector<T> texels(size_t count) {
  std::vector<T> values(count);
  constexpr bool is_float = std::is_same_v<T, typename Filtered<T>::type>;
  unsigned state = 1;
  auto *bytes = reinterpret_cast<unsigned char *>(values.data());
  for (size_t i = 0; i < count * sizeof(T); ++i) {
    state = state * 1664525u + 1013904223u;
    bytes[i] = static_cast<unsigned char>(state >> 24);
  }
  if (is_float) { // signs, fractions, and exponents not far from each other
    auto *floats = reinterpret_cast<unsigned *>(values.data());
    for (size_t i = 0; i < count * sizeof(T) / sizeof(float); ++i)
      floats[i] = (floats[i] & 0x807fffff) | (120 + (floats[i] >> 23) % 16) << 23;
  }
  return values;
}

static cudaTextureObject_t filtering(cudaResourceDesc resource, cudaTextureAddressMode mode,
                                     bool normalized, cudaTextureReadMode read) {
  return makeTexture(resource, {cudaFilterModeLinear, mode, normalized, read});
}

template <class T, int Dimensions> static void compare(int width, int height, int depth) {
  using Got = typename Filtered<T>::type;
  constexpr cudaTextureReadMode read =
      std::is_same_v<T, Got> ? cudaReadModeElementType : cudaReadModeNormalizedFloat;
  const std::vector<T> all = texels<T>(size_t(width) * height * depth);
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<T>();
  const size_t rows = Dimensions > 1 ? height : 0, slices = Dimensions > 2 ? depth : 0;
  cudaArray_t plain = makeArray(all, width, rows, slices);
  // Mipmaps, of which only the first level is looked at, are another way to the same texels.
  cudaMipmappedArray_t mipmaps;
  CHECK_CUDA(cudaMallocMipmappedArray(&mipmaps, &format, make_cudaExtent(width, rows, slices),
                                      std::max({width, height, depth}) > 1 ? 2 : 1));
  cudaArray_t level;
  CHECK_CUDA(cudaGetMipmappedArrayLevel(&level, mipmaps, 0));
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(const_cast<T *>(all.data()), width * sizeof(T), width, height);
  copy.dstArray = level;
  copy.extent = make_cudaExtent(width, height, depth);
  copy.kind = cudaMemcpyHostToDevice;
  CHECK_CUDA(cudaMemcpy3D(&copy));
  cudaResourceDesc levels = {};
  levels.resType = cudaResourceTypeMipmappedArray;
  levels.res.mipmap.mipmap = mipmaps;

  std::vector<float3> at(places);
  unsigned state = 7;
  const auto next = [&](int size) {
    state = state * 1664525u + 1013904223u;
    return float(int((state >> 8) % unsigned(1024 * (size + 1))) - 512) / 256.0f;
  };
  for (float3 &place : at)
    place = make_float3(next(width), next(height), next(depth));
  DeviceBuffer<float3> where(at);
  const float3 texel = make_float3(1, 1, 1),
               whole = make_float3(1.0f / width, 1.0f / height, 1.0f / depth);
  const auto fetched = [&](cudaTextureObject_t texture, float3 scale) {
    DeviceBuffer<Got> out(places);
    fetch<Got, Dimensions><<<places / 128, 128>>>(texture, where.data(), scale, out.data());
    CHECK_CUDA(cudaDestroyTextureObject(texture));
    return out.download();
  };
  const auto same = [](const std::vector<Got> &one, const std::vector<Got> &other) {
    return std::memcmp(one.data(), other.data(), places * sizeof(Got)) == 0;
  };
  for (const auto mode : {cudaAddressModeClamp, cudaAddressModeWrap, cudaAddressModeMirror}) {
    const std::vector<Got> expected = fetched(filtering(levels, mode, true, read), whole);
    CHECK(same(fetched(filtering(resourceOf(plain), mode, true, read), whole), expected));
    if (mode == cudaAddressModeClamp)
      CHECK(same(fetched(filtering(resourceOf(plain), mode, false, read), texel), expected));
  }
  CHECK_CUDA(cudaFreeArray(plain));
  CHECK_CUDA(cudaFreeMipmappedArray(mipmaps));
}

template <class T> static void compareSizes() {
  for (const int width : {1, 2, 8}) {
    compare<T, 1>(width, 1, 1);
    for (const int height : {1, 4}) {
      compare<T, 2>(width, height, 1);
      for (const int depth : {1, 2})
        compare<T, 3>(width, height, depth);
    }
  }
}

int main() {
  compareSizes<float>();
  compareSizes<float4>();
  compareSizes<uchar2>();
  RETURN_RESULT();
}

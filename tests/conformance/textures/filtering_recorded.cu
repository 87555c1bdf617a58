// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fetches give the bits that an H200 gave. `--record` prints the table: recorded_h200.h was made so
// on 2026-11-23 with CUDA 13 (nvcc -arch=sm_90 -std=c++17 filtering_recorded.cu).
// flags: -std=c++17
#include "../check.h"
#include "recorded_cases.h"

struct Recorded {
  const char *name;
  std::vector<uint32_t> bits;
};
static const std::vector<Recorded> &recorded() {
  static const std::vector<Recorded> table = {
#include "recorded_h200.h"
  };
  return table;
}

/// Of each case, so many fetches are in the table.
constexpr int most_recorded = 64;

struct Args {
  cudaTextureObject_t t;
  const float *in;
  uint4 *out;
  int n, shape, kind, comp, layers;
};
template <class V> __device__ uint4 bits(V v);
template <> __device__ uint4 bits(float4 v) {
  return make_uint4(__float_as_uint(v.x), __float_as_uint(v.y), __float_as_uint(v.z),
                    __float_as_uint(v.w));
}
template <> __device__ uint4 bits(float v) { return make_uint4(__float_as_uint(v), 0, 0, 0); }
template <> __device__ uint4 bits(float2 v) {
  return make_uint4(__float_as_uint(v.x), __float_as_uint(v.y), 0, 0);
}
template <> __device__ uint4 bits(uint4 v) { return v; }
template <> __device__ uint4 bits(uint2 v) { return make_uint4(v.x, v.y, 0, 0); }
template <> __device__ uint4 bits(uint1 v) { return make_uint4(v.x, 0, 0, 0); }
template <> __device__ uint4 bits(int2 v) { return make_uint4(v.x, v.y, 0, 0); }
template <class V> __global__ void fetch(Args a) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= a.n)
    return;
  const float *p = a.in + i * 12;
  float x = p[0], y = p[1], z = p[2], lod = p[3];
  V v{};
  if (a.kind == TEX)
    switch (a.shape) {
    case D1:
      v = tex1D<V>(a.t, x);
      break;
    case D2:
      v = tex2D<V>(a.t, x, y);
      break;
    case D3:
      v = tex3D<V>(a.t, x, y, z);
      break;
    case L1:
      v = tex1DLayered<V>(a.t, x, i % (a.layers + 3) - 1);
      break;
    case L2:
      v = tex2DLayered<V>(a.t, x, y, i % (a.layers + 3) - 1);
      break;
    case CUBE:
      v = texCubemap<V>(a.t, x, y, z);
      break;
    case CUBEL:
      v = texCubemapLayered<V>(a.t, x, y, z, i % (a.layers + 1));
      break;
    }
  if (a.kind == LOD)
    switch (a.shape) {
    case D1:
      v = tex1DLod<V>(a.t, x, lod);
      break;
    case D2:
      v = tex2DLod<V>(a.t, x, y, lod);
      break;
    case D3:
      v = tex3DLod<V>(a.t, x, y, z, lod);
      break;
    }
  if (a.kind == GRAD)
    switch (a.shape) {
    case D1:
      v = tex1DGrad<V>(a.t, x, p[4], p[7]);
      break;
    case D2:
      v = tex2DGrad<V>(a.t, x, y, make_float2(p[4], p[5]), make_float2(p[7], p[8]));
      break;
    case D3:
      v = tex3DGrad<V>(a.t, x, y, z, make_float4(p[4], p[5], p[6], 0),
                       make_float4(p[7], p[8], p[9], 0));
      break;
    }
  a.out[i] = bits<V>(v);
}
template <class V> __global__ void gather(Args a) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < a.n)
    a.out[i] = bits<V>(tex2Dgather<V>(a.t, a.in[i * 12], a.in[i * 12 + 1], a.comp));
}

static cudaChannelFormatDesc formatOf(const Case &c) {
  const int bits_ = bytesOf(c.format) * 8;
  const auto kind = c.format == F32 || c.format == F16 ? cudaChannelFormatKindFloat
                    : isSigned(c.format)               ? cudaChannelFormatKindSigned
                                                       : cudaChannelFormatKindUnsigned;
  return {bits_, c.ch > 1 ? bits_ : 0, c.ch > 2 ? bits_ : 0, c.ch > 2 ? bits_ : 0, kind};
}

static void fill(const Case &c, cudaArray_t array, int level, const cudaExtent &e) {
  const int w = std::max(1, c.w >> level), h = std::max(1, (e.height ? c.h : 1) >> level);
  const int d = c.shape == D3 ? std::max(1, c.d >> level) : e.depth ? c.d : 1;
  std::vector<uint8_t> host(size_t(w) * h * d * c.ch * bytesOf(c.format));
  size_t at = 0;
  for (int z = 0; z < d; z++)
    for (int y = 0; y < h; y++)
      for (int x = 0; x < w; x++)
        for (int k = 0; k < c.ch; k++) {
          const uint32_t v = texel(c, level, x, y, z, k);
          std::memcpy(&host[at], &v, bytesOf(c.format));
          at += bytesOf(c.format);
        }
  cudaMemcpy3DParms p = {};
  p.srcPtr = make_cudaPitchedPtr(host.data(), size_t(w) * c.ch * bytesOf(c.format), w, h);
  p.dstArray = array;
  p.extent = make_cudaExtent(w, h, d);
  p.kind = cudaMemcpyHostToDevice;
  CHECK_CUDA(cudaMemcpy3D(&p));
}

/// The array or mipmaps of a case, filled.
static cudaResourceDesc makeResource(const Case &c) {
  const cudaChannelFormatDesc desc = formatOf(c);
  unsigned flags = 0;
  if (c.shape == L1 || c.shape == L2 || c.shape == CUBEL)
    flags |= cudaArrayLayered;
  if (c.shape == CUBE || c.shape == CUBEL)
    flags |= cudaArrayCubemap;
  if (c.kind == GATHER)
    flags |= cudaArrayTextureGather;
  const cudaExtent e = make_cudaExtent(c.w, c.shape == D1 || c.shape == L1 ? 0 : c.h,
                                       c.shape == D1 || c.shape == D2 ? 0 : c.d);
  cudaResourceDesc r = {};
  if (c.levels > 1) {
    r.resType = cudaResourceTypeMipmappedArray;
    CHECK_CUDA(cudaMallocMipmappedArray(&r.res.mipmap.mipmap, &desc, e, c.levels, flags));
    for (int l = 0; l < c.levels; l++) {
      cudaArray_t level;
      CHECK_CUDA(cudaGetMipmappedArrayLevel(&level, r.res.mipmap.mipmap, l));
      fill(c, level, l, e);
    }
  } else {
    r.resType = cudaResourceTypeArray;
    CHECK_CUDA(cudaMalloc3DArray(&r.res.array.array, &desc, e, flags));
    fill(c, r.res.array.array, 0, e);
  }
  return r;
}

static cudaTextureObject_t makeTexture(const Case &c, const cudaResourceDesc &r) {
  cudaTextureDesc t = {};
  for (int k = 0; k < 3; k++)
    t.addressMode[k] = cudaTextureAddressMode(c.addr[k]);
  t.filterMode = c.linear ? cudaFilterModeLinear : cudaFilterModePoint;
  t.mipmapFilterMode = c.mipLinear ? cudaFilterModeLinear : cudaFilterModePoint;
  t.readMode = c.readNorm ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
  t.normalizedCoords = c.normalized;
  t.mipmapLevelBias = c.bias;
  t.minMipmapLevelClamp = c.minLod;
  t.maxMipmapLevelClamp = c.maxLod;
  for (int k = 0; k < 4; k++)
    t.borderColor[k] = c.border[k];
  cudaTextureObject_t texture = 0;
  CHECK_CUDA(cudaCreateTextureObject(&texture, &r, &t, nullptr));
  return texture;
}

static void launch(const Case &c, const Args &a) {
  const dim3 g((c.n + 127) / 128);
  const bool integer = c.format >= U8 && c.format <= S16 && !c.readNorm;
  if (c.kind == GATHER && integer)
    gather<uint4><<<g, 128>>>(a);
  else if (c.kind == GATHER)
    gather<float4><<<g, 128>>>(a);
  else if (integer && isSigned(c.format))
    fetch<int2><<<g, 128>>>(a);
  else if (integer)
    fetch<uint2><<<g, 128>>>(a);
  else if (c.ch == 4)
    fetch<float4><<<g, 128>>>(a);
  else
    fetch<float><<<g, 128>>>(a);
}

/// The bits of some of the case's fetches.
static std::vector<uint32_t> fetches(const Case &c) {
  const cudaResourceDesc r = makeResource(c);
  const cudaTextureObject_t texture = makeTexture(c, r);
  std::vector<float> in(size_t(c.n) * 12);
  const int size[3] = {c.w, c.h, c.d};
  for (int i = 0; i < c.n; i++) {
    for (int k = 0; k < 3; k++)
      in[i * 12 + k] = coordinate(c, i, k, size[k]);
    in[i * 12 + 3] = lodOf(c, i);
  }
  DeviceBuffer<float> coordinates(in);
  DeviceBuffer<uint4> out(c.n);
  launch(c, {texture, coordinates.data(), out.data(), c.n, c.shape, c.kind, c.comp,
             c.shape == CUBEL ? c.d / 6 : c.d});
  const std::vector<uint4> all = out.download();
  CHECK_CUDA(cudaDestroyTextureObject(texture));
  if (c.levels > 1)
    CHECK_CUDA(cudaFreeMipmappedArray(r.res.mipmap.mipmap));
  else
    CHECK_CUDA(cudaFreeArray(r.res.array.array));
  std::vector<uint32_t> bits;
  const int step = std::max(1, c.n / most_recorded), ch = c.kind == GATHER ? 4 : c.ch;
  for (int i = 0; i < most_recorded * step && i < c.n; i += step) {
    const uint32_t texel[] = {all[i].x, all[i].y, all[i].z, all[i].w};
    bits.insert(bits.end(), texel, texel + ch);
  }
  return bits;
}

static void print(const std::string &name, const std::vector<uint32_t> &bits) {
  std::printf("{\"%s\", {", name.c_str());
  for (size_t i = 0; i < bits.size(); ++i)
    std::printf("%s0x%x,", i % 10 ? "" : "\n", bits[i]);
  std::printf("}},\n");
}

int main(int argc, char **) {
  size_t compared = 0;
  for (const Case &c : allCases()) {
    const std::vector<uint32_t> bits = fetches(c);
    if (argc > 1) {
      print(c.name, bits);
      continue;
    }
    for (const Recorded &r : recorded()) {
      if (c.name != r.name)
        continue;
      ++compared;
      CHECK_EQ(bits.size(), r.bits.size());
      for (size_t i = 0; i < bits.size() && i < r.bits.size(); ++i)
        if (bits[i] != r.bits[i]) {
          std::fprintf(stderr, "%s, value %zu:\n", c.name.c_str(), i);
          CHECK_EQ(bits[i], r.bits[i]);
        }
    }
  }
  CHECK_EQ(compared, argc > 1 ? size_t(0) : recorded().size());
  RETURN_RESULT();
}

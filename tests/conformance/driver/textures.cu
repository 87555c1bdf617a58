// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays of each format, mipmaps, texture and surface objects, as the driver API describes them.
//
// flags: -std=c++17 -lcuda
#include "driver.h"

using namespace driver;

__global__ void fetch(CUtexObject texture, float *to, int width) {
  to[threadIdx.y * width + threadIdx.x] =
      tex2D<float>(texture, threadIdx.x + 0.5f, threadIdx.y + 0.5f);
}
__global__ void fetchWords(CUtexObject texture, unsigned *to) {
  to[threadIdx.x] = tex1Dfetch<unsigned>(texture, threadIdx.x);
}
__global__ void store(CUsurfObject surface, float value) {
  surf2Dwrite(value + threadIdx.x, surface, threadIdx.x * 4, threadIdx.y);
}

struct Format {
  CUarray_format format;
  unsigned channels;
  size_t bytes;
};

void formats() {
  const Format all[] = {{CU_AD_FORMAT_UNSIGNED_INT8, 4, 4},
                        {CU_AD_FORMAT_SIGNED_INT16, 2, 4},
                        {CU_AD_FORMAT_UNSIGNED_INT32, 1, 4},
                        {CU_AD_FORMAT_HALF, 4, 8},
                        {CU_AD_FORMAT_FLOAT, 4, 16}};
  for (const Format &one : all) {
    CUarray array;
    CUDA_ARRAY3D_DESCRIPTOR shape = {16, 8, 2, one.format, one.channels, 0}, told = {};
    CHECK_DRIVER(cuArray3DCreate(&array, &shape));
    CHECK_DRIVER(cuArray3DGetDescriptor(&told, array));
    CHECK_EQ(told.Width * told.Height * told.Depth, size_t(256));
    CHECK_EQ(int(told.Format), int(one.format));
    CHECK_EQ(told.NumChannels, one.channels);
    std::vector<char> in(256 * one.bytes), out(in.size());
    for (size_t i = 0; i < in.size(); ++i)
      in[i] = char(i * 7);
    CUDA_MEMCPY3D copy = {};
    copy.srcMemoryType = CU_MEMORYTYPE_HOST;
    copy.srcHost = in.data();
    copy.srcPitch = 16 * one.bytes;
    copy.srcHeight = 8;
    copy.dstMemoryType = CU_MEMORYTYPE_ARRAY;
    copy.dstArray = array;
    copy.WidthInBytes = 16 * one.bytes;
    copy.Height = 8;
    copy.Depth = 2;
    CHECK_DRIVER(cuMemcpy3D(&copy));
    std::swap(copy.srcMemoryType, copy.dstMemoryType);
    copy.srcArray = array;
    copy.dstHost = out.data();
    copy.dstPitch = 16 * one.bytes;
    copy.dstHeight = 8;
    CHECK_DRIVER(cuMemcpy3D(&copy));
    CHECK(in == out);
    CHECK_DRIVER(cuArrayDestroy(array));
  }
  CUarray array;
  CUDA_ARRAY_DESCRIPTOR bad = {16, 8, CUarray_format(0x7), 1};
  CHECK_CODE(cuArrayCreate(&array, &bad), CUDA_ERROR_INVALID_VALUE);
  bad = {16, 8, CU_AD_FORMAT_FLOAT, 3};
  CHECK_CODE(cuArrayCreate(&array, &bad), CUDA_ERROR_INVALID_VALUE);
  bad = {0, 8, CU_AD_FORMAT_FLOAT, 1};
  CHECK_CODE(cuArrayCreate(&array, &bad), CUDA_ERROR_INVALID_VALUE);
  CHECK_CODE(cuArrayCreate(nullptr, &bad), CUDA_ERROR_INVALID_VALUE);
}

void linear1D() {
  CUarray array;
  const CUDA_ARRAY_DESCRIPTOR shape = {64, 0, CU_AD_FORMAT_SIGNED_INT32, 1};
  std::vector<int> in(64), out(64);
  for (int i = 0; i < 64; ++i)
    in[i] = i * i;
  CUdeviceptr device;
  CHECK_DRIVER(cuMemAlloc(&device, 256));
  CHECK_DRIVER(cuArrayCreate(&array, &shape));
  CHECK_DRIVER(cuMemcpyHtoA(array, 0, in.data(), 256));
  CHECK_DRIVER(cuMemcpyAtoD(device, array, 64, 192));
  CHECK_DRIVER(cuMemcpyDtoA(array, 0, device, 192));
  CHECK_DRIVER(cuMemcpyAtoH(out.data(), array, 0, 192));
  for (int i = 0; i < 48; ++i)
    CHECK_EQ(out[i], in[i + 16]);
  CHECK_DRIVER(cuArrayDestroy(array));
  CHECK_DRIVER(cuMemFree(device));
}

// The texture reads 8-bit integers as fractions, unless it is told not to.
void objects() {
  constexpr int width = 8, height = 4;
  CUarray array;
  CUsurfObject surface;
  CUtexObject texture;
  const CUDA_ARRAY3D_DESCRIPTOR shape = {
      width, height, 0, CU_AD_FORMAT_FLOAT, 1, CUDA_ARRAY3D_SURFACE_LDST};
  CHECK_DRIVER(cuArray3DCreate(&array, &shape));
  CUDA_RESOURCE_DESC resource = {}, told = {};
  resource.resType = CU_RESOURCE_TYPE_ARRAY;
  resource.res.array.hArray = array;
  CHECK_DRIVER(cuSurfObjectCreate(&surface, &resource));
  store<<<1, dim3(width, height)>>>(surface, 100);
  CUDA_TEXTURE_DESC how = {}, told_how = {};
  for (CUaddress_mode &mode : how.addressMode)
    mode = CU_TR_ADDRESS_MODE_CLAMP;
  how.filterMode = CU_TR_FILTER_MODE_LINEAR;
  CHECK_DRIVER(cuTexObjectCreate(&texture, &resource, &how, nullptr));
  CHECK_DRIVER(cuTexObjectGetResourceDesc(&told, texture));
  CHECK_EQ(told.res.array.hArray, array);
  CHECK_DRIVER(cuTexObjectGetTextureDesc(&told_how, texture));
  CHECK_EQ(int(told_how.filterMode), int(CU_TR_FILTER_MODE_LINEAR));
  CHECK_EQ(int(told_how.addressMode[1]), int(CU_TR_ADDRESS_MODE_CLAMP));
  CUdeviceptr out;
  CHECK_DRIVER(cuMemAlloc(&out, width * height * 4));
  fetch<<<1, dim3(width, height)>>>(texture, reinterpret_cast<float *>(out), width);
  std::vector<float> host(width * height);
  CHECK_DRIVER(cuMemcpyDtoH(host.data(), out, width * height * 4));
  for (int i = 0; i < width * height; ++i)
    CHECK_EQ(host[i], 100.0f + i % width);
  CHECK_CODE(cuTexObjectCreate(&texture, nullptr, &how, nullptr), CUDA_ERROR_INVALID_VALUE);
  CHECK_DRIVER(cuTexObjectDestroy(texture));
  CHECK_DRIVER(cuSurfObjectDestroy(surface));
  CHECK_DRIVER(cuArrayDestroy(array));

  const unsigned words[4] = {1, 20, 300, 4000};
  unsigned back[4] = {};
  CUdeviceptr linear;
  CHECK_DRIVER(cuMemAlloc(&linear, sizeof words));
  CHECK_DRIVER(cuMemcpyHtoD(linear, words, sizeof words));
  resource = {};
  resource.resType = CU_RESOURCE_TYPE_LINEAR;
  resource.res.linear.devPtr = linear;
  resource.res.linear.format = CU_AD_FORMAT_UNSIGNED_INT32;
  resource.res.linear.numChannels = 1;
  resource.res.linear.sizeInBytes = sizeof words;
  how = {};
  how.flags = CU_TRSF_READ_AS_INTEGER;
  CHECK_DRIVER(cuTexObjectCreate(&texture, &resource, &how, nullptr));
  fetchWords<<<1, 4>>>(texture, reinterpret_cast<unsigned *>(out));
  CHECK_DRIVER(cuMemcpyDtoH(back, out, sizeof back));
  for (int i = 0; i < 4; ++i)
    CHECK_EQ(back[i], words[i]);
  CHECK_DRIVER(cuTexObjectDestroy(texture));
  CHECK_DRIVER(cuMemFree(linear));
  CHECK_DRIVER(cuMemFree(out));
}

void fractions() {
  CUarray array;
  CUtexObject texture;
  CUdeviceptr out;
  const CUDA_ARRAY_DESCRIPTOR shape = {4, 1, CU_AD_FORMAT_UNSIGNED_INT8, 1};
  const unsigned char bytes[4] = {0, 51, 102, 255};
  const float expected[4] = {0.0f, 0.2f, 0.4f, 1.0f};
  float host[4];
  CHECK_DRIVER(cuArrayCreate(&array, &shape));
  CHECK_DRIVER(cuMemAlloc(&out, 16));
  CHECK_DRIVER(cuMemcpyHtoA(array, 0, bytes, 4));
  CUDA_RESOURCE_DESC resource = {};
  resource.resType = CU_RESOURCE_TYPE_ARRAY;
  resource.res.array.hArray = array;
  const CUDA_TEXTURE_DESC how = {};
  CHECK_DRIVER(cuTexObjectCreate(&texture, &resource, &how, nullptr));
  fetch<<<1, 4>>>(texture, reinterpret_cast<float *>(out), 4);
  CHECK_DRIVER(cuMemcpyDtoH(host, out, 16));
  for (int i = 0; i < 4; ++i)
    CHECK_NEAR(host[i], expected[i], 1e-6);
  CHECK_DRIVER(cuTexObjectDestroy(texture));
  CHECK_DRIVER(cuArrayDestroy(array));
  CHECK_DRIVER(cuMemFree(out));
}

void mipmaps() {
  CUmipmappedArray mipmap;
  CUarray level;
  CUDA_ARRAY_DESCRIPTOR told = {};
  const CUDA_ARRAY3D_DESCRIPTOR shape = {16, 16, 0, CU_AD_FORMAT_FLOAT, 1, 0};
  CHECK_DRIVER(cuMipmappedArrayCreate(&mipmap, &shape, 3));
  CHECK_DRIVER(cuMipmappedArrayGetLevel(&level, mipmap, 2));
  CHECK_DRIVER(cuArrayGetDescriptor(&told, level));
  CHECK_EQ(told.Width, size_t(4));
  CHECK_CODE(cuMipmappedArrayGetLevel(&level, mipmap, 3), CUDA_ERROR_INVALID_VALUE);
  CHECK_DRIVER(cuMipmappedArrayDestroy(mipmap));
}

int main() {
  begin();
  formats();
  linear1D();
  objects();
  fractions();
  mipmaps();
  RETURN_RESULT();
}

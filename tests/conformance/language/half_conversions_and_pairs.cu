// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Between the two 16-bit types; pairs of floats (sm_100); addresses of grid constants.
// flags: -arch=sm_100
// hardware: skip needs a GPU of compute capability 10.0
#include "check.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cmath>
#include <type_traits>

static_assert(std::is_constructible<__half, __nv_bfloat16>::value &&
                  !std::is_convertible<__nv_bfloat16, __half>::value,
              "explicit");
static_assert(std::is_constructible<__nv_bfloat16, __half>::value &&
                  !std::is_convertible<__half, __nv_bfloat16>::value,
              "explicit");

__host__ __device__ unsigned short toHalf(unsigned bits) {
  return __half_raw(__half(__nv_bfloat16(__nv_bfloat16_raw{(unsigned short)bits}))).x;
}
__host__ __device__ unsigned short toBfloat(unsigned bits) {
  return __nv_bfloat16_raw(__nv_bfloat16(__half(__half_raw{(unsigned short)bits}))).x;
}

__global__ void convert(unsigned short *halves, unsigned short *bfloats) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  halves[i] = toHalf(i);
  bfloats[i] = toBfloat(i);
}

__global__ void pairs(float2 *out, float2 x, float2 y, float2 z) {
  out[0] = __fadd2_rn(x, y);
  out[1] = __fadd2_rd(x, y);
  out[2] = __fmul2_ru(x, y);
  out[3] = __fmul2_rz(x, y);
  out[4] = __ffma2_rn(x, y, z);
  out[5] = __ffma2_ru(x, y, z);
}

__global__ void gridConstant(float *out, const __grid_constant__ float2 value) {
  const size_t address = __cvta_generic_to_grid_constant(&value);
  *out = static_cast<const float2 *>(__cvta_grid_constant_to_generic(address))->y;
}

int main() {
  DeviceBuffer<unsigned short> halves(65536), bfloats(65536);
  convert<<<256, 256>>>(halves, bfloats);
  CHECK_CUDA(cudaDeviceSynchronize());
  const std::vector<unsigned short> half = halves.download(), bfloat = bfloats.download();
  for (unsigned i = 0; i < 65536; ++i) {
    CHECK_EQ(half[i], toHalf(i));
    CHECK_EQ(bfloat[i], toBfloat(i));
  }
  CHECK_EQ(half[0x3f80], 0x3c00); // 1
  CHECK_EQ(half[0x7f80], 0x7c00); // infinity
  CHECK_EQ(half[0x4780], 0x7c00); // 65536, too large
  CHECK_EQ(half[0xb380], 0x8001); // -2^-24, the smallest
  CHECK_EQ(bfloat[0x3c00], 0x3f80);
  CHECK_EQ(bfloat[0x7bff], 0x4780); // 65504 rounds up
  CHECK_EQ(bfloat[0x0001], 0x3380);

  const float2 x = make_float2(1, -3), y = make_float2(std::ldexp(1.f, -30), 1.f / 3);
  DeviceBuffer<float2> out(6);
  pairs<<<1, 1>>>(out, x, y, make_float2(y.x, 1));
  CHECK_CUDA(cudaDeviceSynchronize());
  const std::vector<float2> pair = out.download();
  CHECK_EQ(pair[0].x, 1.f);
  CHECK_EQ(pair[0].y, -3 + 1.f / 3);
  CHECK_EQ(pair[1].x, 1.f);
  CHECK(pair[1].y <= -8.0 / 3 && pair[1].y >= std::nextafter(float(-8.0 / 3), -4.f));
  CHECK_EQ(pair[2].x, y.x);
  CHECK_EQ(pair[2].y, -1.f); // 1/3 is rounded up, so the product is below -1
  CHECK_EQ(pair[3].y, -1.f);
  CHECK_EQ(pair[4].x, 2 * y.x);
  CHECK_EQ(pair[4].y, std::fma(-3.f, 1.f / 3, 1.f));
  CHECK_EQ(pair[5].y, pair[4].y); // exact

  DeviceBuffer<float> one(1);
  gridConstant<<<1, 1>>>(one, make_float2(1, 7));
  CHECK_EQ(one.download()[0], 7.f);
  RETURN_RESULT();
}

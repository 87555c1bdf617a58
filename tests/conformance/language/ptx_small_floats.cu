// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Inline PTX conversions of 8-bit floating point, integers packed by cvt.pack, and atomic additions
// of vectors.
// flags: -arch=sm_90 -std=c++17
// env: HEDDLE_GPU=h200
#include "check.h"

#include <cuda_fp16.h>
#include <cuda_fp8.h>

__global__ void narrow(const float *in, unsigned short *e4m3, unsigned short *e5m2,
                       unsigned short *from_halves, unsigned short *positive) {
  const int i = threadIdx.x;
  const float a = in[2 * i], b = in[2 * i + 1];
  asm("cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;" : "=h"(e4m3[i]) : "f"(b), "f"(a));
  asm("cvt.rn.satfinite.e5m2x2.f32 %0, %1, %2;" : "=h"(e5m2[i]) : "f"(b), "f"(a));
  asm("cvt.rn.satfinite.relu.e4m3x2.f32 %0, %1, %2;" : "=h"(positive[i]) : "f"(b), "f"(a));
  const __half2 halves = __floats2half2_rn(a, b);
  asm("cvt.rn.satfinite.e4m3x2.f16x2 %0, %1;"
      : "=h"(from_halves[i])
      : "r"(*reinterpret_cast<const unsigned *>(&halves)));
}

__global__ void widen(unsigned *from_e4m3, unsigned *from_e5m2) {
  const unsigned short both = (unsigned short)(threadIdx.x | (255 - threadIdx.x) << 8);
  asm("cvt.rn.f16x2.e4m3x2 %0, %1;" : "=r"(from_e4m3[threadIdx.x]) : "h"(both));
  asm("cvt.rn.f16x2.e5m2x2 %0, %1;" : "=r"(from_e5m2[threadIdx.x]) : "h"(both));
}

__global__ void pack(int a, int b, unsigned *out) {
  asm("cvt.pack.sat.u8.s32.b32 %0, %1, %2, %3;" : "=r"(out[0]) : "r"(a), "r"(b), "r"(0xabcd1234));
  asm("cvt.pack.sat.s8.s32.b32 %0, %1, %2, %3;" : "=r"(out[1]) : "r"(a), "r"(b), "r"(0));
  asm("cvt.pack.sat.s16.s32 %0, %1, %2;" : "=r"(out[2]) : "r"(a), "r"(b));
}

__global__ void vectors(float *out) {
  asm volatile("red.global.add.v2.f32 [%0], {%1, %2};" ::"l"(out), "f"(1.0f),
               "f"(float(threadIdx.x))
               : "memory");
  float before[4];
  asm volatile("atom.global.add.v4.f32 {%0, %1, %2, %3}, [%4], {%5, %5, %5, %6};"
               : "=f"(before[0]), "=f"(before[1]), "=f"(before[2]), "=f"(before[3])
               : "l"(out + 4), "f"(0.5f), "f"(2.0f)
               : "memory");
}

int main() {
  std::vector<float> numbers = {0,        -0.0f,     1,      -1,      448,     449,      464,
                                480,      1e9f,      -1e9f,  57344,   61440,   65536,    0.001f,
                                0.002f,   0.00195f,  1e-5f,  -1e-6f,  1.0625f, 1.1875f,  -3.3f,
                                INFINITY, -INFINITY, NAN,    0.0146f, 0.0156f, 0.00097f, 1.5e-5f,
                                7.6e-6f,  2.3e-5f,   100.5f, -17.25f};
  const int pairs = int(numbers.size() / 2);
  DeviceBuffer<float> in(numbers);
  DeviceBuffer<unsigned short> e4m3(pairs), e5m2(pairs), halves(pairs), positive(pairs);
  narrow<<<1, pairs>>>(in, e4m3, e5m2, halves, positive);
  const auto as_e4m3 = e4m3.download(), as_e5m2 = e5m2.download(), from_halves = halves.download(),
             not_negative = positive.download();
  for (size_t i = 0; i < numbers.size(); ++i) {
    auto byte = [&](const std::vector<unsigned short> &all) {
      return all[i / 2] >> (8 * (i % 2)) & 0xff;
    };
    const float x = numbers[i];
    CHECK_EQ(byte(as_e4m3), int(__nv_cvt_float_to_fp8(x, __NV_SATFINITE, __NV_E4M3)));
    CHECK_EQ(byte(as_e5m2), int(__nv_cvt_float_to_fp8(x, __NV_SATFINITE, __NV_E5M2)));
    CHECK_EQ(byte(from_halves),
             int(__nv_cvt_float_to_fp8(__half2float(__float2half(x)), __NV_SATFINITE, __NV_E4M3)));
    const float clamped = x <= 0 ? 0 : x;
    CHECK_EQ(byte(not_negative), int(__nv_cvt_float_to_fp8(clamped, __NV_SATFINITE, __NV_E4M3)));
  }

  DeviceBuffer<unsigned> wide4(256), wide5(256);
  widen<<<1, 256>>>(wide4, wide5);
  const auto from4 = wide4.download(), from5 = wide5.download();
  for (unsigned i = 0; i < 256; ++i) {
    auto half = [](__nv_fp8_storage_t bits, __nv_fp8_interpretation_t kind) {
      return __half2float(__half(__nv_cvt_fp8_to_halfraw(bits, kind)));
    };
    auto same = [](unsigned bits, float expected) {
      __half_raw raw;
      raw.x = (unsigned short)bits;
      const float value = __half2float(__half(raw));
      return value == expected || (value != value && expected != expected);
    };
    CHECK(same(from4[i] & 0xffff, half((unsigned char)i, __NV_E4M3)));
    CHECK(same(from4[i] >> 16, half((unsigned char)(255 - i), __NV_E4M3)));
    CHECK(same(from5[i] & 0xffff, half((unsigned char)i, __NV_E5M2)));
  }

  DeviceBuffer<unsigned> packed(3);
  pack<<<1, 1>>>(-300, 200, packed);
  const auto words = packed.download();
  CHECK_EQ(words[0], 0x123400c8u);
  CHECK_EQ(words[1], 0x0000807fu);
  CHECK_EQ(words[2], 0xfed400c8u);

  DeviceBuffer<float> sums(8);
  vectors<<<1, 32>>>(sums);
  const auto added = sums.download();
  CHECK_EQ(added[0], 32.0f);
  CHECK_EQ(added[1], 496.0f);
  CHECK_EQ(added[4], 16.0f);
  CHECK_EQ(added[7], 64.0f);
  RETURN_RESULT();
}

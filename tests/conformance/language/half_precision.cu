// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// __half: conversions round to nearest even, arithmetic and comparisons operators, infinities,
// and half2 lanes.
#include "check.h"
#include <cuda_fp16.h>

__global__ void evaluate(float *out) {
  const __half a = __float2half(1.5f), b = __float2half(-0.25f);
  out[0] = __half2float(__hadd(a, b));
  out[1] = __half2float(__hmul(a, b));
  out[2] = __half2float(a / b);
  out[3] = float(a - b);
  out[4] = __hlt(b, a) && a > b && !(a == b);
  out[5] = __half2float(__float2half(2049.0f));       // ties to even: 2048
  out[6] = __half2float(__float2half(2051.0f));       // 2052
  out[7] = __half2float(__float2half(65504.0f));      // the largest
  out[8] = __half2float(__float2half(65520.0f));      // infinity
  out[9] = __half2float(__float2half(5.9604645e-8f)); // the smallest subnormal
  out[10] = __half_as_ushort(__float2half(-2.0f));
  out[11] = __half2float(__ushort_as_half(0x3555));
  const __half2 pair = __floats2half2_rn(3.0f, 4.0f);
  const __half2 sum = __hadd2(pair, __half2half2(a));
  out[12] = __low2float(sum);
  out[13] = __high2float(sum);
  const __half2 fused = __hfma2(pair, pair, __float2half2_rn(0.5f));
  out[14] = __low2float(fused) + __high2float(fused);
  out[15] = __half2float(hsqrt(__float2half(2.25f)));
  out[16] = __half2int_rn(__float2half(2.5f)) + 10 * __half2int_rz(__float2half(-2.5f));
  out[17] = __half2float(__float2half_rz(2051.0f));
  out[18] = __hisnan(__hsub(__float2half(INFINITY), __float2half(INFINITY)));
}

int main() {
  DeviceBuffer<float> out(19);
  evaluate<<<1, 1>>>(out);
  const float expected[19] = {1.25f, -0.375f, -6,           1.75f,    1,      2048,
                              2052,  65504,   INFINITY,     0x1p-24f, 0xc000, 0.333251953125f,
                              4.5f,  5.5f,    9.5f + 16.5f, 1.5f,     2 - 20, 2050,
                              1};
  const std::vector<float> result = out.download();
  for (int i = 0; i < 19; ++i)
    CHECK_EQ(result[i], expected[i]);
  CHECK_EQ(__half2float(__float2half(0.1f)), 0.0999755859375f); // the host converts too
  RETURN_RESULT();
}

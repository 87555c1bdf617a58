// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// __nv_bfloat16: conversions round to nearest even, and sums and products are those of float
// rounded once.
#include "check.h"
#include <cuda_bf16.h>

__global__ void evaluate(float *out) {
  const __nv_bfloat16 a = __float2bfloat16(1.5f), b = __float2bfloat16(3.0f);
  out[0] = __bfloat162float(__hadd(a, b));
  out[1] = __bfloat162float(__hmul(a, b));
  out[2] = __bfloat162float(__float2bfloat16(257.0f));     // ties to even: 256
  out[3] = __bfloat162float(__float2bfloat16(259.0f));     // 260
  out[4] = __bfloat162float(__float2bfloat16(3.39e38f));   // finite
  out[5] = __bfloat162float(__float2bfloat16(1.0039062f)); // just below the tie
  const __nv_bfloat162 pair = __floats2bfloat162_rn(2.0f, -4.0f);
  out[6] = __low2float(pair) * 10 + __high2float(pair);
  out[7] = __bfloat162float(__hfma(a, b, a));
  out[8] = float(a * b + a);
  out[9] = __hlt(a, b);
}

int main() {
  DeviceBuffer<float> out(10);
  evaluate<<<1, 1>>>(out);
  const float expected[10] = {4.5f, 4.5f, 256, 260, 0x1.fep127f, 1, 16, 6, 6, 1};
  const std::vector<float> result = out.download();
  for (int i = 0; i < 10; ++i)
    CHECK_EQ(result[i], expected[i]);
  RETURN_RESULT();
}

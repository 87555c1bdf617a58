// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// __sinf, __cosf, __tanf, __expf, __exp10f, __logf, __log2f, __log10f, __powf, __fdividef,
// __saturatef and __frsqrt_rn within their documented errors.
#include "check.h"

__global__ void evaluate(const float *in, float *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const float x = in[i];
  float *own = out + 12 * i;
  own[0] = __sinf(x);
  own[1] = __cosf(x);
  own[2] = __expf(x);
  own[3] = __exp10f(x);
  const float positive = fabsf(x) + 0.01f;
  own[4] = __logf(positive);
  own[5] = __log2f(positive);
  own[6] = __log10f(positive);
  own[7] = __powf(positive, 1.5f);
  own[8] = __fdividef(x, 3.7f);
  own[9] = __saturatef(x);
  own[10] = __frsqrt_rn(positive);
  own[11] = __tanf(x / 4);
}

int main() {
  const int n = 2001;
  std::vector<float> x(n);
  for (int i = 0; i < n; ++i)
    x[i] = -3.14159f + 6.28318f * i / (n - 1);
  DeviceBuffer<float> in(x), out(12 * n);
  evaluate<<<(n + 127) / 128, 128>>>(in, out, n);
  const std::vector<float> result = out.download();
  for (int i = 0; i < n; ++i) {
    const float *own = &result[12 * i];
    const double value = x[i], positive = fabsf(x[i]) + 0.01f;
    CHECK_NEAR(own[0], sin(value), std::exp2(-21.41));
    CHECK_NEAR(own[1], cos(value), std::exp2(-21.19));
    // 2 + floor(abs(1.173 * x)) ulp; 2 + floor(abs(2.97 * x)) ulp
    CHECK_NEAR(own[2], exp(value), exp(value) * 0x1p-23 * (3 + floor(fabs(1.173 * value))));
    CHECK_NEAR(own[3], pow(10, value), pow(10, value) * 0x1p-23 * (3 + floor(fabs(2.97 * value))));
    const bool nearOne = positive >= 0.5 && positive <= 2; // absolute error there, else 3 ulp
    CHECK_NEAR(own[4], log(positive),
               nearOne ? std::exp2(-21.41) : 4 * 0x1p-23 * fabs(log(positive)));
    CHECK_NEAR(own[5], log2(positive),
               nearOne ? std::exp2(-22) : 3 * 0x1p-23 * fabs(log2(positive)));
    CHECK_NEAR(own[6], log10(positive),
               nearOne ? std::exp2(-24) : 4 * 0x1p-23 * fabs(log10(positive)));
    CHECK_NEAR(own[7], pow(positive, 1.5), 1e-5 * pow(positive, 1.5) + 1e-6);
    CHECK_NEAR(own[8], value / 3.7f, 2 * 0x1p-23 * fabs(value / 3.7f));
    CHECK_EQ(own[9], x[i] < 0 ? 0.0f : x[i] > 1 ? 1.0f : x[i]);
    CHECK_NEAR(own[10], 1 / sqrt(positive), 0x1p-23 * (1 / sqrt(positive)));
    CHECK_NEAR(own[11], tan(value / 4), 3e-6);
  }
  RETURN_RESULT();
}

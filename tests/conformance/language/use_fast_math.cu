// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program built with -use_fast_math: results stay near, division and square root may be
// approximate.
// flags: -use_fast_math
#include "check.h"

__global__ void evaluate(const float *in, float *out, int n) {
  const int i = threadIdx.x;
  if (i >= n)
    return;
  const float x = in[i];
  float *own = out + 6 * i;
  own[0] = sinf(x);
  own[1] = expf(x);
  own[2] = logf(x);
  own[3] = x / 3.0f;
  own[4] = sqrtf(x);
  own[5] = powf(x, 2.5f);
}

int main() {
  const int n = 200;
  std::vector<float> x(n);
  for (int i = 0; i < n; ++i)
    x[i] = 0.015f * (i + 1);
  DeviceBuffer<float> in(x), out(6 * n);
  evaluate<<<1, 256>>>(in, out, n);
  const std::vector<float> result = out.download();
  for (int i = 0; i < n; ++i) {
    const float *own = &result[6 * i];
    const double v = x[i];
    CHECK_NEAR(own[0], sin(v), 1e-6);
    CHECK_NEAR(own[1], exp(v), 1e-5 * exp(v));
    CHECK_NEAR(own[2], log(v), 2e-6);
    CHECK_NEAR(own[3], v / 3, 1e-6 * v);
    CHECK_NEAR(own[4], sqrt(v), 1e-6 * sqrt(v));
    CHECK_NEAR(own[5], pow(v, 2.5), 1e-5 * pow(v, 2.5) + 1e-6);
  }
  RETURN_RESULT();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// j0, j1, jn, y0 and y1 in double and float against the host, to an absolute error, for small
// and medium arguments.
#include "check.h"

__global__ void evaluate(const double *x, double *out, float *outFloat, int n) {
  const int i = threadIdx.x;
  if (i >= n)
    return;
  double *own = out + 5 * i;
  own[0] = j0(x[i]);
  own[1] = j1(x[i]);
  own[2] = jn(3, x[i]);
  own[3] = y0(x[i]);
  own[4] = y1(x[i]);
  outFloat[2 * i] = j0f(float(x[i]));
  outFloat[2 * i + 1] = y1f(float(x[i]));
}

int main() {
  const int n = 60;
  std::vector<double> x(n);
  for (int i = 0; i < n; ++i)
    x[i] = 0.25 + 0.25 * i; // exact in float too
  DeviceBuffer<double> in(x), out(5 * n);
  DeviceBuffer<float> outFloat(2 * n);
  evaluate<<<1, 64>>>(in, out, outFloat, n);
  const std::vector<double> result = out.download();
  const std::vector<float> resultFloat = outFloat.download();
  for (int i = 0; i < n; ++i) {
    CHECK_NEAR(result[5 * i], j0(x[i]), 2e-14);
    CHECK_NEAR(result[5 * i + 1], j1(x[i]), 2e-14);
    CHECK_NEAR(result[5 * i + 2], jn(3, x[i]), 5e-12);
    CHECK_NEAR(result[5 * i + 3], y0(x[i]), 2e-14);
    CHECK_NEAR(result[5 * i + 4], y1(x[i]), 2e-14);
    CHECK_NEAR(resultFloat[2 * i], j0(x[i]), 1e-5);
    CHECK_NEAR(resultFloat[2 * i + 1], y1(x[i]), 1e-5);
  }
  RETURN_RESULT();
}

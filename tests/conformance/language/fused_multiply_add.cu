// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// By default a product and a sum are contracted into one fused operation, as nvcc does;
// __dmul_rn and __dadd_rn are not.
#include "check.h"

__global__ void evaluate(double a, double b, double c, double *out) {
  out[0] = a * b + c;
  out[1] = __dadd_rn(__dmul_rn(a, b), c);
  out[2] = fma(a, b, c);
}

__global__ void evaluateFloat(float a, float b, float c, float *out) {
  out[0] = a * b + c;
  out[1] = __fadd_rn(__fmul_rn(a, b), c);
  out[2] = fmaf(a, b, c);
}

int main() {
  DeviceBuffer<double> out(3);
  DeviceBuffer<float> outFloat(3);
  evaluate<<<1, 1>>>(1 + 0x1p-52, 1 - 0x1p-52, -1, out);
  evaluateFloat<<<1, 1>>>(1 + 0x1p-23f, 1 - 0x1p-23f, -1, outFloat);
  const std::vector<double> d = out.download();
  const std::vector<float> f = outFloat.download();
  CHECK_EQ(d[0], -0x1p-104);
  CHECK_EQ(d[1], 0);
  CHECK_EQ(d[2], -0x1p-104);
  CHECK_EQ(f[0], -0x1p-46f);
  CHECK_EQ(f[1], 0);
  CHECK_EQ(f[2], -0x1p-46f);
  RETURN_RESULT();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// fmin, fmax, min and max with NaN and zeros, isnan, isinf, isfinite, signbit, fma exactly
// rounded, and remquo and ilogb.
#include "check.h"
#include <limits>

__global__ void evaluate(double zero, float zeroF, double *out) {
  const double nan = zero / zero, infinity = 1 / zero;
  const float nanF = zeroF / zeroF;
  int i = 0;
  out[i++] = fmin(nan, 2.0);
  out[i++] = fmax(3.0, nan);
  out[i++] = fminf(nanF, 2.5f);
  out[i++] = fmaxf(-1.0f, nanF);
  out[i++] = min(1, 2) + 10 * max(3.5, 2.5) + 100 * min(4u, 7u) + 1000 * max(5ll, -8ll);
  out[i++] = isnan(nan) && isnan(nanF) && isnan(fmin(nan, nan)) && !isnan(infinity);
  out[i++] = isinf(infinity) && isinf(-infinity) && !isinf(1.0f) && !isinf(nan);
  out[i++] = isfinite(1.0) && !isfinite(infinity) && !isfinite(nanF);
  out[i++] = signbit(-zero) && !signbit(zero) && signbit(-1.0f);
  out[i++] = fma(1 + 0x1p-52, 1 - 0x1p-52, -1.0 + zero); // 0 if the product is rounded first
  out[i++] = fmaf(1 + 0x1p-23f, 1 - 0x1p-23f, -1.0f + zeroF);
  int quotient = 0;
  out[i++] = remquo(17.0 + zero, 5.0, &quotient);
  out[i++] = quotient & 7;
  out[i++] = ilogb(1000.0 + zero);
  out[i++] = nan == nan || nan < 1 || nan > 1;
  out[i++] = nan != nan;
}

int main() {
  DeviceBuffer<double> out(16);
  evaluate<<<1, 1>>>(0.0, 0.0f, out);
  const double expected[16] = {2, 3, 2.5, -1, 5436, 1, 1, 1, 1, -0x1p-104, -0x1p-46, 2, 3, 9, 0, 1};
  const std::vector<double> result = out.download();
  for (int i = 0; i < 16; ++i)
    CHECK_EQ(result[i], expected[i]);
  RETURN_RESULT();
}

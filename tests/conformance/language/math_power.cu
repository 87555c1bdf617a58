// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// pow in float and double against the host within CUDA's documented error, and its special
// cases: negative bases, zeros, infinities, NaN.
#include "math_check.h"

MATH2(float, powf, powl(x, y))
MATH2(double, pow, powl(x, y))

__global__ void integerPowers(double *out) {
  out[0] = pow(-2.0, 3);
  out[1] = pow(2.0f, 10);
  out[2] = powf(-8, 3.0f);
  out[3] = isnan(pow(-8.0, 1.0 / 3));
}

int main() {
  check2<powf_of>("powf", 1e-3, 20, -12, 25, 8);
  check2<powf_of>("powf", 0.9, 1.1, -300, 300, 8);
  check2<pow_of>("pow", 1e-3, 20, -12, 200, 2);
  check2<pow_of>("pow", 0.9, 1.1, -3000, 3000, 2);
  checkSpecial2<powf_of>("powf", 8);
  checkSpecial2<pow_of>("pow", 2);
  DeviceBuffer<double> out(4);
  integerPowers<<<1, 1>>>(out);
  const double expected[4] = {-8, 1024, -512, 1};
  const std::vector<double> result = out.download();
  for (int i = 0; i < 4; ++i)
    CHECK_NEAR(result[i], expected[i], 1e-6 * fabs(expected[i]));
  RETURN_RESULT();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Integer division by zero on the device gives some value and no error; in floating point it
// gives infinities and NaN.
#include "check.h"

__global__ void divide(int a, unsigned ua, long long la, int zero, int *done, float *out) {
  volatile int quotient = a / zero, remainder = a % zero;
  volatile unsigned unsignedQuotient = ua / unsigned(zero);
  volatile long long longQuotient = la / zero, longRemainder = la % zero;
  volatile int overflow = (a - a + INT_MIN) / (zero - 1);
  (void)quotient, (void)remainder, (void)unsignedQuotient, (void)longQuotient, (void)longRemainder,
      (void)overflow;
  out[0] = 1.0f / zero;
  out[1] = -1.0f / zero;
  out[2] = 0.0f / zero;
  *done = 1;
}

int main() {
  DeviceBuffer<int> done(1);
  DeviceBuffer<float> out(3);
  divide<<<1, 1>>>(7, 7u, 7ll, 0, done, out);
  CHECK_EQ(done.download()[0], 1);
  const std::vector<float> values = out.download();
  CHECK_EQ(values[0], INFINITY);
  CHECK_EQ(values[1], -INFINITY);
  CHECK(std::isnan(values[2]));
  RETURN_RESULT();
}

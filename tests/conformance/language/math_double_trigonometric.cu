// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sin, cos, tan, sincos, sinpi and cospi in double against the host within CUDA's documented
// error, huge arguments included.
#include "math_check.h"

__device__ double sineOfBoth(double x) {
  double sine, cosine;
  sincos(x, &sine, &cosine);
  return sine;
}
__device__ double cosineOfBoth(double x) {
  double sine, cosine;
  sincos(x, &sine, &cosine);
  return cosine;
}

MATH1(double, sin, sinl(x))
MATH1(double, cos, cosl(x))
MATH1(double, tan, tanl(x))
MATH1(double, sineOfBoth, sinl(x))
MATH1(double, cosineOfBoth, cosl(x))
MATH1(double, sinpi, sinl(3.14159265358979323846264L * (fmodl(x, 2))))
MATH1(double, cospi, sinl(3.14159265358979323846264L * (0.5L - fabsl(remainderl(x, 2)))))

int main() {
  for (double limit : {0.01, 3.2, 100.0, 1e5, 1e15, 1e300}) {
    check1<sin_of>("sin", -limit, limit, 2);
    check1<cos_of>("cos", -limit, limit, 2);
    check1<tan_of>("tan", -limit, limit, 2);
    check1<sineOfBoth_of>("sincos", -limit, limit, 2);
    check1<cosineOfBoth_of>("sincos", -limit, limit, 2);
  }
  check1<sinpi_of>("sinpi", 0.001, 0.9, 2);
  check1<cospi_of>("cospi", 0.001, 0.499, 2);
  checkSpecial1<sin_of>("sin", 2);
  checkSpecial1<cos_of>("cos", 2);
  checkSpecial1<tan_of>("tan", 2);
  RETURN_RESULT();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sinf, cosf, tanf, sincosf, sinpif and cospif against the host within CUDA's documented error,
// with arguments that need a careful range reduction.
#include "math_check.h"

__device__ float sineOfBoth(float x) {
  float sine, cosine;
  sincosf(x, &sine, &cosine);
  return sine;
}
__device__ float cosineOfBoth(float x) {
  float sine, cosine;
  sincosf(x, &sine, &cosine);
  return cosine;
}

MATH1(float, sinf, sinl(x))
MATH1(float, cosf, cosl(x))
MATH1(float, tanf, tanl(x))
MATH1(float, sineOfBoth, sinl(x))
MATH1(float, cosineOfBoth, cosl(x))
// x is a float: fmodl is exact, and pi times the rest is accurate in long double.
MATH1(float, sinpif, sinl(3.14159265358979323846264L * (fmodl(x, 2))))
MATH1(float, cospif, sinl(3.14159265358979323846264L * (0.5L - fabsl(remainderl(x, 2)))))

int main() {
  for (double limit : {0.01, 3.2, 100.0, 1e5, 1e10, 3e38}) {
    check1<sinf_of>("sinf", -limit, limit, 2);
    check1<cosf_of>("cosf", -limit, limit, 2);
    check1<tanf_of>("tanf", -limit, limit, 4);
    check1<sineOfBoth_of>("sincosf", -limit, limit, 2);
    check1<cosineOfBoth_of>("sincosf", -limit, limit, 2);
  }
  check1<sinpif_of>("sinpif", 0.001, 0.999, 2);
  check1<sinpif_of>("sinpif", -20.5, 20.25, 2);
  check1<cospif_of>("cospif", -20.25, 20.25, 2);
  checkSpecial1<sinf_of>("sinf", 2);
  checkSpecial1<cosf_of>("cosf", 2);
  checkSpecial1<tanf_of>("tanf", 4);
  RETURN_RESULT();
}

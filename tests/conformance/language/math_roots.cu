// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sqrt and division are correctly rounded; rsqrt, cbrt, rcbrt, hypot, rhypot and norms stay
// within CUDA's documented error.
#include "math_check.h"

__device__ float divideFloat(float x, float y) { return x / y; }
__device__ double divideDouble(double x, double y) { return x / y; }
__device__ float reciprocalFloat(float x) { return 1 / x; }
__device__ float norm3(float x, float y) { return norm3df(x, y, 2); }
__device__ double norm4(double x, double y) { return norm4d(x, y, 2, -3); }

// The operand's and the result's high words only.
__device__ double coarse(double x) {
  double r;
  asm("rsqrt.approx.ftz.f64 %0, %1;" : "=d"(r) : "d"(x));
  return r;
}

MATH1(float, sqrtf, sqrtl(x))
MATH1(double, sqrt, std::sqrt((double)x)) // sqrtl would be rounded twice
MATH2(float, divideFloat, (float)x / (float)y)
MATH2(double, divideDouble, (double)x / (double)y)
MATH1(float, reciprocalFloat, 1 / (float)x)
MATH1(float, rsqrtf, 1 / sqrtl(x))
MATH1(double, rsqrt, 1 / sqrtl(x))
MATH1(double, coarse, 1 / sqrtl(x))
MATH1(float, cbrtf, cbrtl(x))
MATH1(double, cbrt, cbrtl(x))
MATH1(float, rcbrtf, 1 / cbrtl(x))
MATH1(double, rcbrt, 1 / cbrtl(x))
MATH2(float, hypotf, hypotl(x, y))
MATH2(double, hypot, hypotl(x, y))
MATH2(float, rhypotf, 1 / hypotl(x, y))
MATH2(double, rhypot, 1 / hypotl(x, y))
MATH2(float, norm3, sqrtl(x *x + y * y + 4))
MATH2(double, norm4, sqrtl(x *x + y * y + 13))

int main() {
  check1<sqrtf_of>("sqrtf", 0, 3e38, 0);
  check1<sqrtf_of>("sqrtf", 0, 4, 0);
  check1<sqrt_of>("sqrt", 0, 1e300, 0);
  check2<divideFloat_of>("float /", -1e20, 1e20, -1e10, 1e10, 0);
  check2<divideDouble_of>("double /", -1e20, 1e20, -1e10, 1e10, 0);
  check1<reciprocalFloat_of>("float 1 /", 1e-30, 1e30, 0);
  check1<rsqrtf_of>("rsqrtf", 1e-30, 1e30, 2);
  check1<rsqrt_of>("rsqrt", 1e-300, 1e300, 1);
  check1<coarse_of>("rsqrt.approx.ftz.f64", 1e-300, 1e300, 0x1p33);
  check1<cbrtf_of>("cbrtf", -1e30, 1e30, 1);
  check1<cbrt_of>("cbrt", -1e300, 1e300, 1);
  check1<rcbrtf_of>("rcbrtf", 1e-30, 1e30, 1);
  check1<rcbrt_of>("rcbrt", 1e-300, 1e300, 1);
  check2<hypotf_of>("hypotf", -1e20, 1e20, -1e20, 1e20, 3);
  check2<hypot_of>("hypot", -1e200, 1e200, -1e200, 1e200, 2);
  check2<rhypotf_of>("rhypotf", 1, 100, 1, 100, 2);
  check2<rhypot_of>("rhypot", 1, 100, 1, 100, 1);
  check2<norm3_of>("norm3df", -10, 10, -10, 10, 3);
  check2<norm4_of>("norm4d", -10, 10, -10, 10, 2);
  checkSpecial1<sqrtf_of>("sqrtf", 0);
  checkSpecial1<sqrt_of>("sqrt", 0);
  checkSpecial2<divideFloat_of>("float /", 0);
  checkSpecial2<divideDouble_of>("double /", 0);
  checkSpecial2<hypotf_of>("hypotf", 3);
  checkSpecial2<hypot_of>("hypot", 2);
  checkSpecial1<cbrtf_of>("cbrtf", 1);
  RETURN_RESULT();
}

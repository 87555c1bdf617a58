// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sinh, cosh, tanh, asinh, acosh and atanh in float and double against the host within CUDA's
// documented error.
#include "math_check.h"

MATH1(float, sinhf, sinhl(x))
MATH1(float, coshf, coshl(x))
MATH1(float, tanhf, tanhl(x))
MATH1(float, asinhf, asinhl(x))
MATH1(float, acoshf, acoshl(x))
MATH1(float, atanhf, atanhl(x))
MATH1(double, sinh, sinhl(x))
MATH1(double, cosh, coshl(x))
MATH1(double, tanh, tanhl(x))
MATH1(double, asinh, asinhl(x))
MATH1(double, acosh, acoshl(x))
MATH1(double, atanh, atanhl(x))

int main() {
  check1<sinhf_of>("sinhf", -89, 89, 3);
  check1<coshf_of>("coshf", -89, 89, 2);
  check1<tanhf_of>("tanhf", -10, 10, 2);
  check1<asinhf_of>("asinhf", -1e10, 1e10, 3);
  check1<asinhf_of>("asinhf", -3, 3, 3);
  check1<acoshf_of>("acoshf", 1, 10, 4);
  check1<atanhf_of>("atanhf", -0.99999, 0.99999, 3);
  check1<sinh_of>("sinh", -710, 710, 2);
  check1<cosh_of>("cosh", -710, 710, 1);
  check1<tanh_of>("tanh", -10, 10, 2);
  check1<asinh_of>("asinh", -1e10, 1e10, 3);
  check1<asinh_of>("asinh", -3, 3, 3);
  check1<acosh_of>("acosh", 1, 10, 3);
  check1<atanh_of>("atanh", -0.99999, 0.99999, 2);
  checkSpecial1<sinhf_of>("sinhf", 3);
  checkSpecial1<coshf_of>("coshf", 2);
  checkSpecial1<tanhf_of>("tanhf", 2);
  checkSpecial1<asinh_of>("asinh", 3);
  checkSpecial1<acosh_of>("acosh", 3);
  checkSpecial1<atanh_of>("atanh", 2);
  RETURN_RESULT();
}

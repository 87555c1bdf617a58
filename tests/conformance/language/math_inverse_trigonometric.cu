// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// asin, acos, atan and atan2 in float and double against the host within CUDA's documented
// error, with all sign combinations of atan2.
#include "math_check.h"

MATH1(float, asinf, asinl(x))
MATH1(float, acosf, acosl(x))
MATH1(float, atanf, atanl(x))
MATH2(float, atan2f, atan2l(x, y))
MATH1(double, asin, asinl(x))
MATH1(double, acos, acosl(x))
MATH1(double, atan, atanl(x))
MATH2(double, atan2, atan2l(x, y))

int main() {
  check1<asinf_of>("asinf", -1, 1, 4);
  check1<acosf_of>("acosf", -1, 1, 4);
  check1<atanf_of>("atanf", -10, 10, 2);
  check1<atanf_of>("atanf", -1e30, 1e30, 2);
  check2<atan2f_of>("atan2f", -10, 10, -5, 5, 3);
  check1<asin_of>("asin", -1, 1, 2);
  check1<acos_of>("acos", -1, 1, 2);
  check1<atan_of>("atan", -10, 10, 2);
  check1<atan_of>("atan", -1e300, 1e300, 2);
  check2<atan2_of>("atan2", -10, 10, -5, 5, 2);
  checkSpecial1<asinf_of>("asinf", 4);
  checkSpecial1<acosf_of>("acosf", 4);
  checkSpecial1<atanf_of>("atanf", 2);
  checkSpecial2<atan2f_of>("atan2f", 3);
  checkSpecial1<asin_of>("asin", 2);
  checkSpecial1<acos_of>("acos", 2);
  checkSpecial1<atan_of>("atan", 2);
  checkSpecial2<atan2_of>("atan2", 2);
  RETURN_RESULT();
}

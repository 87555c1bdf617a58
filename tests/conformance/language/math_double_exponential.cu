// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// exp, exp2, exp10, expm1, log, log2, log10 and log1p in double against the host within CUDA's
// documented error.
#include "math_check.h"

MATH1(double, exp, expl(x))
MATH1(double, exp2, exp2l(x))
MATH1(double, exp10, powl(10, x))
MATH1(double, expm1, expm1l(x))
MATH1(double, log, logl(x))
MATH1(double, log2, log2l(x))
MATH1(double, log10, log10l(x))
MATH1(double, log1p, log1pl(x))

int main() {
  check1<exp_of>("exp", -744, 709.7, 1);
  check1<exp2_of>("exp2", -1074, 1023.9, 1);
  check1<exp10_of>("exp10", -323, 308, 1);
  check1<expm1_of>("expm1", -60, 709.7, 1);
  check1<log_of>("log", 5e-324, 1.7e308, 1);
  check1<log_of>("log", 0.5, 2, 1);
  check1<log2_of>("log2", 5e-324, 1.7e308, 1);
  check1<log2_of>("log2", 0.5, 2, 1);
  check1<log10_of>("log10", 5e-324, 1.7e308, 1);
  check1<log10_of>("log10", 0.5, 2, 1);
  check1<log1p_of>("log1p", -0.9999999, 100, 1);
  checkSpecial1<exp_of>("exp", 1);
  checkSpecial1<exp2_of>("exp2", 1);
  checkSpecial1<exp10_of>("exp10", 1);
  checkSpecial1<expm1_of>("expm1", 1);
  checkSpecial1<log_of>("log", 0);
  checkSpecial1<log2_of>("log2", 0);
  checkSpecial1<log10_of>("log10", 0);
  checkSpecial1<log1p_of>("log1p", 1);
  RETURN_RESULT();
}

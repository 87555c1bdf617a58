// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expf, exp2f, exp10f, expm1f, logf, log2f, log10f and log1pf against the host within CUDA's
// documented error, subnormal results included.
#include "math_check.h"

MATH1(float, expf, expl(x))
MATH1(float, exp2f, exp2l(x))
MATH1(float, exp10f, powl(10, x))
MATH1(float, expm1f, expm1l(x))
MATH1(float, logf, logl(x))
MATH1(float, log2f, log2l(x))
MATH1(float, log10f, log10l(x))
MATH1(float, log1pf, log1pl(x))

int main() {
  check1<expf_of>("expf", -103, 88.7, 2);
  check1<exp2f_of>("exp2f", -149, 127.9, 2);
  check1<exp10f_of>("exp10f", -44, 38.5, 2);
  check1<expm1f_of>("expm1f", -50, 88.7, 1);
  check1<logf_of>("logf", 1e-45, 3.4e38, 1);
  check1<logf_of>("logf", 0.5, 2, 1);
  check1<log2f_of>("log2f", 1e-45, 3.4e38, 1);
  check1<log2f_of>("log2f", 0.5, 2, 1);
  check1<log10f_of>("log10f", 1e-45, 3.4e38, 2);
  check1<log10f_of>("log10f", 0.5, 2, 2);
  check1<log1pf_of>("log1pf", -0.99999, 100, 1);
  checkSpecial1<expf_of>("expf", 2);
  checkSpecial1<exp2f_of>("exp2f", 0);
  checkSpecial1<exp10f_of>("exp10f", 2);
  checkSpecial1<expm1f_of>("expm1f", 1);
  checkSpecial1<logf_of>("logf", 0);
  checkSpecial1<log2f_of>("log2f", 0);
  checkSpecial1<log10f_of>("log10f", 0);
  checkSpecial1<log1pf_of>("log1pf", 1);
  RETURN_RESULT();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// erf, erfc, lgamma and tgamma in float and double against the host within CUDA's documented
// error.
#include "math_check.h"

MATH1(float, erff, erfl(x))
MATH1(float, erfcf, erfcl(x))
MATH1(float, lgammaf, lgammal(x))
MATH1(float, tgammaf, tgammal(x))
MATH1(double, erf, erfl(x))
MATH1(double, erfc, erfcl(x))
MATH1(double, lgamma, lgammal(x))
MATH1(double, tgamma, tgammal(x))

int main() {
  check1<erff_of>("erff", -5, 5, 2);
  check1<erfcf_of>("erfcf", -4, 10, 6);
  check1<lgammaf_of>("lgammaf", 0.001, 100, 6);
  check1<tgammaf_of>("tgammaf", 0.01, 34.9, 11);
  check1<tgammaf_of>("tgammaf", -5.9, -5.1, 11);
  check1<erf_of>("erf", -6, 6, 2);
  check1<erfc_of>("erfc", -5, 26, 5);
  check1<lgamma_of>("lgamma", 0.001, 1000, 4);
  check1<tgamma_of>("tgamma", 0.01, 170, 10);
  check1<tgamma_of>("tgamma", -5.9, -5.1, 10);
  checkSpecial1<erff_of>("erff", 2);
  checkSpecial1<erf_of>("erf", 2);
  checkSpecial1<erfc_of>("erfc", 5);
  RETURN_RESULT();
}

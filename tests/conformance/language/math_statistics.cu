// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// erfinv, erfcinv, normcdf, normcdfinv and erfcx are the inverses and complements they should
// be, in float and double.
#include "math_check.h"

__device__ double erfOfInverse(double x) { return erf(erfinv(x)); }
__device__ float erfOfInverseFloat(float x) { return erff(erfinvf(x)); }
__device__ double erfcOfInverse(double x) { return erfc(erfcinv(x)); }
__device__ double normOfInverse(double x) { return normcdf(normcdfinv(x)); }
__device__ float normOfInverseFloat(float x) { return normcdff(normcdfinvf(x)); }

MATH1(double, erfOfInverse, x)
MATH1(float, erfOfInverseFloat, x)
MATH1(double, erfcOfInverse, x)
MATH1(double, normOfInverse, x)
MATH1(float, normOfInverseFloat, x)
MATH1(double, normcdf, erfcl(-x * 0.70710678118654752440L) / 2)
MATH1(float, normcdff, erfcl(-x * 0.70710678118654752440L) / 2)
MATH1(double, erfcx, expl(x *x) * erfcl(x))
MATH1(float, erfcxf, expl(x *x) * erfcl(x))

int main() {
  check1<normcdf_of>("normcdf", -30, 8, 5);
  check1<normcdff_of>("normcdff", -12, 5, 5);
  check1<erfcx_of>("erfcx", -5, 20, 4);
  check1<erfcxf_of>("erfcxf", -5, 8, 4);
  // An error of a few ulp in the inverse comes back multiplied by its condition.
  check1<erfOfInverse_of>("erf(erfinv)", -0.9, 0.9, 20);
  check1<erfOfInverseFloat_of>("erff(erfinvf)", -0.9, 0.9, 12);
  check1<erfcOfInverse_of>("erfc(erfcinv)", 0.2, 1.8, 40);
  check1<normOfInverse_of>("normcdf(normcdfinv)", 0.1, 0.9, 40);
  check1<normOfInverseFloat_of>("normcdff(normcdfinvf)", 0.1, 0.9, 40);
  RETURN_RESULT();
}

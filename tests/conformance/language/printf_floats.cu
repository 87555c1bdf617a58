// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device printf of float and double in the formats f, e, g and a, with widths, precisions,
// infinities and negative zero.
// stdout: 0.100000 1.000000e-01 0.1
// stdout: 0.333333 3.333333e-01 0.333333
// stdout: 2 0.2 0.3333333333 0.33333333333333331
// stdout: [     3.142] [3.142     ] [-00003.142] [+2.00]
// stdout: 1.234568E+04 1E-10 1E+20
// stdout: 100000 1e+06 0.0001 1e-05
// stdout: -0.000000 1000000000000000.000000
// stdout: inf -inf
// stdout: 0x1.8p+0
// stdout: 1.797693e+308 4.940656e-324
#include "check.h"

// clang-format off
__global__ void show() {
  const float f = 0.1f;
  const double d = 1.0 / 3;
  printf("%f %e %g\n", f, f, f);
  printf("%f %e %g\n", d, d, d);
  printf("%.0f %.1f %.10f %.17g\n", 2.5, 0.25, d, d);
  printf("[%10.3f] [%-10.3f] [%010.3f] [%+.2f]\n", 3.14159, 3.14159, -3.14159, 2.0);
  printf("%E %G %G\n", 12345.678, 1e-10, 1e20);
  printf("%g %g %g %g\n", 100000.0, 1000000.0, 0.0001, 0.00001);
  printf("%f %f\n", -0.0, 1e15);
  printf("%g %g\n", 1e308 * 10, -1e308 * 10);
  printf("%a\n", 1.5);
  printf("%e %e\n", 1.7976931348623157e308, 4.9406564584124654e-324);
}
// clang-format on

int main() {
  show<<<1, 1>>>();
  CHECK_EQ(cudaDeviceSynchronize(), cudaSuccess);
  RETURN_RESULT();
}

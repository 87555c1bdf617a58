// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cuComplex.h in float and double: products, quotients, conjugates and magnitudes on host and
// device.
#include "check.h"
#include <cuComplex.h>

__host__ __device__ void compute(cuDoubleComplex a, cuDoubleComplex b, double *out) {
  const cuDoubleComplex product = cuCmul(a, b), quotient = cuCdiv(a, b);
  out[0] = cuCreal(product);
  out[1] = cuCimag(product);
  out[2] = cuCreal(quotient);
  out[3] = cuCimag(quotient);
  out[4] = cuCabs(a);
  out[5] = cuCimag(cuConj(a)) + cuCreal(cuCadd(a, b)) + cuCimag(cuCsub(a, b));
  const cuFloatComplex f = cuCmulf(make_cuFloatComplex(1, 2), make_cuFloatComplex(3, -4));
  out[6] = cuCrealf(f) * 100 + cuCimagf(f);
}

__global__ void onDevice(double *out) {
  compute(make_cuDoubleComplex(3, 4), make_cuDoubleComplex(-2, 1), out);
}

int main() {
  DeviceBuffer<double> out(7);
  onDevice<<<1, 1>>>(out);
  double host[7];
  compute(make_cuDoubleComplex(3, 4), make_cuDoubleComplex(-2, 1), host);
  const double expected[7] = {-10, -5, -0.4, -2.2, 5, -4 + 1 + 3, 1102};
  const std::vector<double> result = out.download();
  for (int i = 0; i < 7; ++i) {
    CHECK_NEAR(result[i], expected[i], 1e-12);
    CHECK_NEAR(host[i], expected[i], 1e-12);
  }
  RETURN_RESULT();
}

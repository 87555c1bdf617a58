// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Additions, products, quotients, roots and fused multiply-adds in each rounding mode, float and
// double, against the host's in that mode.
#include "check.h"
#include <cfenv>

#define FLOAT_MODE(at, mode)                                                                       \
  f[at] = __fadd_##mode(x, y);                                                                     \
  f[at + 1] = __fmul_##mode(x, y);                                                                 \
  f[at + 2] = __fdiv_##mode(x, y);                                                                 \
  f[at + 3] = __fsqrt_##mode(fabsf(x));                                                            \
  f[at + 4] = __fmaf_##mode(x, y, x);                                                              \
  f[at + 5] = __frcp_##mode(y);
#define DOUBLE_MODE(at, mode)                                                                      \
  d[at] = __dadd_##mode(u, v);                                                                     \
  d[at + 1] = __dmul_##mode(u, v);                                                                 \
  d[at + 2] = __ddiv_##mode(u, v);                                                                 \
  d[at + 3] = __dsqrt_##mode(fabs(u));                                                             \
  d[at + 4] = __fma_##mode(u, v, u);                                                               \
  d[at + 5] = __drcp_##mode(v);

__global__ void evaluate(const double *a, const double *b, float *floats, double *doubles, int n) {
  const int i = threadIdx.x;
  if (i >= n)
    return;
  const double u = a[i], v = b[i];
  const float x = float(u), y = float(v);
  float *f = floats + 24 * i;
  double *d = doubles + 24 * i;
  FLOAT_MODE(0, rn)
  FLOAT_MODE(6, rz)
  FLOAT_MODE(12, rd)
  FLOAT_MODE(18, ru)
  DOUBLE_MODE(0, rn)
  DOUBLE_MODE(6, rz)
  DOUBLE_MODE(12, rd)
  DOUBLE_MODE(18, ru)
}

template <class T> static void hostInMode(T x, T y, int mode, T *out) {
  volatile T a = x, b = y, absolute = std::fabs(x), one = 1;
  fesetround(mode);
  volatile T sum = a + b, product = a * b, quotient = a / b, reciprocal = one / b;
  volatile T root = std::sqrt(absolute), fused = std::fma(a, b, a);
  fesetround(FE_TONEAREST);
  const T values[6] = {sum, product, quotient, root, fused, reciprocal};
  std::copy(values, values + 6, out);
}

int main() {
  const std::vector<double> a = {1, 1.0 / 3, -2.7, 1e10, 3e-5, 123.456, -7, 0.1, 1e-20, 5},
                            b = {3, 1e-9, 0.7, -1.0 / 3, 7, 9.81, -0.3, 0.2, 3e10, 1e-8};
  const int n = int(a.size());
  DeviceBuffer<double> deviceA(a), deviceB(b), doubles(24 * n);
  DeviceBuffer<float> floats(24 * n);
  evaluate<<<1, 32>>>(deviceA, deviceB, floats, doubles, n);
  const std::vector<double> d = doubles.download();
  const std::vector<float> f = floats.download();
  const int modes[4] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};
  for (int i = 0; i < n; ++i)
    for (int mode = 0; mode < 4; ++mode) {
      float expectedFloat[6];
      double expectedDouble[6];
      hostInMode(float(a[i]), float(b[i]), modes[mode], expectedFloat);
      hostInMode(a[i], b[i], modes[mode], expectedDouble);
      for (int k = 0; k < 6; ++k) {
        if (f[24 * i + 6 * mode + k] != expectedFloat[k] ||
            d[24 * i + 6 * mode + k] != expectedDouble[k])
          fprintf(stderr, "pair %d, mode %d, operation %d\n", i, mode, k);
        CHECK_EQ(f[24 * i + 6 * mode + k], expectedFloat[k]);
        CHECK_EQ(d[24 * i + 6 * mode + k], expectedDouble[k]);
      }
    }
  RETURN_RESULT();
}

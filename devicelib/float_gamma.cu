// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Single-precision gamma functions. log Gamma is small between values that are not, so it is
// computed in double, where plain formulas leave enough digits.
#include "float_kernels.h"

using namespace heddle;

namespace {

// Natural logarithm of a positive normal double, to about 1e-15: 2 atanh((m - 1) / (m + 1)).
HEDDLE_INLINE double logWide(double x) {
  i64 k = i64(bitsOf(x) - 0x3fe6a09e667f3bcdull) >> 52;
  double m = doubleOf(bitsOf(x) - (u64(k) << 52));
  double s = (m - 1.0) / (m + 1.0), t = s * s;
  double series = poly(t, 2.0 / 21, 2.0 / 19, 2.0 / 17, 2.0 / 15, 2.0 / 13, 2.0 / 11, 2.0 / 9,
                       2.0 / 7, 2.0 / 5, 2.0 / 3, 2.0);
  return fma(double(k), 0x1.62e42fefa39efp-1, s * series);
}

// e^x for -200 < x < 200 to about 1e-11, by its Taylor series after taking out powers of two.
HEDDLE_INLINE double expWide(double x) {
  double n = rint(x * 0x1.71547652b82fep+0);
  double r = fma(n, -0x1.62e42fefa39efp-1, x);
  double series = poly(r, 1.0 / 362880, 1.0 / 40320, 1.0 / 5040, 1.0 / 720, 1.0 / 120, 1.0 / 24,
                       1.0 / 6, 0.5, 1.0, 1.0);
  return series * exp2Int(i64(n));
}

// |sin(pi r)| for |r| <= 1/2 by its Taylor series.
HEDDLE_INLINE double sinPiWide(double r) {
  double x = abs(r) * 0x1.921fb54442d18p+1, s = x * x;
  double series = poly(s, 1.0 / 51090942171709440000.0, -1.0 / 121645100408832000.0,
                       1.0 / 355687428096000.0, -1.0 / 1307674368000.0, 1.0 / 6227020800.0,
                       -1.0 / 39916800, 1.0 / 362880, -1.0 / 5040, 1.0 / 120, -1.0 / 6, 1.0);
  return x * series;
}

// log Gamma(x) for 0 < x < 2^128: Stirling's series, after small arguments have been moved up by 8
// with Gamma(x + 8) = x (x + 1) ... (x + 7) Gamma(x).
HEDDLE_INLINE double logGammaPositive(double x) {
  bool small = x < 8.0;
  double moved = x * (x + 1) * (x + 2) * (x + 3) * (x + 4) * (x + 5) * (x + 6) * (x + 7);
  double z = small ? x + 8.0 : x;
  double r = 1.0 / z, s = r * r;
  double series = r * poly(s, 1.0 / 156, -691.0 / 360360, 1.0 / 1188, -1.0 / 1680, 1.0 / 1260,
                           -1.0 / 360, 1.0 / 12);
  double stirling = fma(z - 0.5, logWide(z), 0x1.d67f1c864beb5p-1 - z) + series;
  return stirling - (small ? logWide(moved) : 0.0);
}

// log |Gamma(x)| for finite x that are not 0, -1, -2 ... (there the result is finite, and wrong).
// Negative x by reflection: |Gamma(-y)| = pi / (y |sin(pi y)| Gamma(y)).
HEDDLE_INLINE double logGamma(float x) {
  double y = abs(x);
  double positive = logGammaPositive(y);
  double sine = sinPiWide(y - rint(y));
  double reflected = logWide(0x1.921fb54442d18p+1 / (y * (sine > 0 ? sine : 1.0))) - positive;
  return x < 0 ? reflected : positive;
}

} // namespace

HEDDLE_API float __nv_lgammaf(float x) {
  bool pole = x <= 0 && rint(x) == x;
  bool ordinary = abs(x) < infinity<float>() && !pole;
  float result = float(logGamma(ordinary ? x : 1.0f));
  float special = isNan(x) ? x : infinity<float>();
  result = x == 1.0f || x == 2.0f ? 0.0f : result;
  return ordinary ? result : special;
}

HEDDLE_API float __nv_tgammaf(float x) {
  float whole = floor(x);
  bool pole = x < 0 && whole == x;
  bool ordinary = abs(x) < infinity<float>() && x != 0 && !pole;
  double log_gamma = logGamma(ordinary ? x : 1.0f);
  log_gamma = log_gamma > 200.0 ? 200.0 : log_gamma;
  log_gamma = log_gamma < -200.0 ? -200.0 : log_gamma;
  float magnitude = float(expWide(log_gamma));
  bool odd = rint(0.5f * whole) != 0.5f * whole;
  float result = x < 0 && odd ? -magnitude : magnitude;
  float special = x > 0 ? x : quietNan<float>();
  special = x == 0 ? copysign(infinity<float>(), x) : special;
  return ordinary ? result : special;
}

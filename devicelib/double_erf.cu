// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The error functions and the normal distribution of doubles, within the bounds of the CUDA C++
// Programming Guide, "Mathematical Functions Appendix". They all rest on one polynomial for the
// scaled complementary error function erfcx(x) = exp(x^2) * erfc(x), which has no huge or tiny
// values.
#include "double_exp_log.h"

using namespace heddle;

namespace {

// erfcx(x) for x >= 0: (1 + 2x) * erfcx(x) varies little and is a polynomial in (x - 4) / (x + 4).
HEDDLE_INLINE double erfcxOf(double x) {
  double limited = x > 0x1p200 ? 0x1p200 : x;
  double t = (limited - 4.0) / (limited + 4.0);
  double p = poly(
      t, -0x1.2feb115e10ff8p-32, 0x1.ff247156a53a2p-31, 0x1.bc41def3d5cc5p-29,
      -0x1.a7f4a11380e73p-27, -0x1.64110b1736fb3p-26, 0x1.c8a212189b424p-24, 0x1.4dcd6b6d85452p-24,
      -0x1.b8ce493292da5p-21, 0x1.393f4d359a7fdp-22, 0x1.7ef644c7815aap-18, -0x1.7884d2487d5efp-17,
      -0x1.99537515467bep-16, 0x1.3be0432bfa860p-13, -0x1.a1df5e81f57b4p-13, -0x1.8d4a9a6465372p-11,
      0x1.49c672e199469p-8, -0x1.09623884747dbp-6, 0x1.3079edf5181dfp-5, -0x1.0fb06dfe4c6c0p-4,
      0x1.7fee004e1eefep-4, -0x1.9ddb23c3e8f13p-4, 0x1.16ecefcfa4d10p-4, 0x1.f7f5df66fd797p-7,
      -0x1.1df1ad154a286p-3, 0x1.3ba5916e9fd7fp+0);
  return 0.5 * p / (0.5 + x);
}

// -x^2
HEDDLE_INLINE Dd negativeSquare(double x) { return negate(twoProd(x, x)); }

// erf(x) for |x| <= 1.
HEDDLE_INLINE double smallErf(double x) {
  constexpr Dd two_over_root_pi = {0x1.20dd750429b6dp+0, 0x1.1ae3a914fed80p-56};
  double z = x * x;
  double tail = z * poly(z, 0x1.0f8a27a51ad26p-34, -0x1.3c1e91b012003p-30, 0x1.f8d476ab1a455p-27,
                         -0x1.5f39372686202p-23, 0x1.b9e2333703249p-20, -0x1.f4d21efdafc7dp-17,
                         0x1.f9a324ddf0f34p-14, -0x1.c02db3f4735cbp-11, 0x1.565bcd0e434bbp-8,
                         -0x1.b82ce312882f8p-6, 0x1.ce2f21a042bd7p-4, -0x1.812746b0379e7p-2);
  return fma(x, two_over_root_pi.hi, x * (tail + two_over_root_pi.lo));
}

HEDDLE_INLINE double limit(double x, double largest) { return x > largest ? largest : x; }

// erfinv(x) / x as a function of w = -log(1 - x^2), which is at least 0.
HEDDLE_INLINE double inverseErfRatio(double w) {
  double u = limit(w, 6.25) - 3.125;
  double r = poly(u, 0x1.e9b8ae7230c25p-69, -0x1.5087a244b0f6cp-70, -0x1.9d290dd3bcb70p-62,
                  0x1.536d397f9b9b1p-60, 0x1.1f4ba5de5dc3fp-56, -0x1.2c266176e7096p-53,
                  -0x1.73898c37dc54ap-55, 0x1.db523eb040288p-48, -0x1.686642b67610ap-45,
                  -0x1.6d9ec5e3ec6afp-44, 0x1.723527b7cff86p-39, -0x1.c89564c5d1004p-37,
                  -0x1.dc3ee8b6c53ccp-35, 0x1.20f4e6bf074cfp-30, -0x1.1a9eb1bc8f0f0p-28,
                  -0x1.f36ce4ae847fdp-26, 0x1.c6b4f890935ddp-22, -0x1.6e8a53f106129p-20,
                  -0x1.d1d1f7ca4030fp-17, 0x1.879c2a20da432p-13, -0x1.84576948353e1p-11,
                  -0x1.8b6c33114eeaep-8, 0x1.ebd80d9b13df9p-3, 0x1.a755e7c99ae86p+0);
  // The rest is for x within 0.001 of 1.
  if (w > 6.25) {
    double root = sqrt(w);
    if (root < 4.0) {
      u = root - 3.25;
      r = poly(u, -0x1.a53a301e22b57p-32, 0x1.85a326c1cb527p-24, -0x1.206ae34abd5a9p-22,
               0x1.3acdcdc26635cp-26, 0x1.918866d43073fp-20, -0x1.0d5f12f3cb324p-18,
               0x1.88e7be48aa51ap-19, 0x1.a29a626bd0bb9p-17, -0x1.8cf1ea476ca5dp-15,
               0x1.1e684a09f878bp-14, 0x1.932deb51d5effp-16, -0x1.7448a8807fc16p-12,
               0x1.f3cc54ba4185ap-11, -0x1.ba924133966efp-10, 0x1.468eeca887021p-9,
               -0x1.ebadabb88eb36p-9, 0x1.5ffcfe5b6db7ap-8, 0x1.0158a6d641d39p+0,
               0x1.8abcc380d5a48p+1);
    } else if (root < 10.0) {
      u = 1.0 / root - 0.175;
      r = root * poly(u, -0x1.0dd615376b6e5p+40, -0x1.69bf1e523051ep+38, 0x1.e06a4445faee3p+33,
                      0x1.bef3b96b30d8cp+33, 0x1.450c9b4de9858p+29, -0x1.a2c15741d8e57p+27,
                      -0x1.a736d7b011eb2p+24, 0x1.86c2d28026e47p+18, 0x1.0fe0f19b4e3f1p+18,
                      0x1.44da279d8ae41p+15, 0x1.c8d35293ab70dp+9, 0x1.0a2188b4aee5ep+9,
                      -0x1.8a1bd0312adefp+6, 0x1.d37638ab51718p+4, -0x1.0f28526cc4776p+3,
                      0x1.71bfc3b70d57dp+1, -0x1.8304914579be9p+0, 0x1.c9c53f59bd3a9p-1,
                      -0x1.44221b2544a6ap-4, -0x1.9803f93204b4fp-3, 0x1.f332efce42c09p-1);
    } else {
      u = 1.0 / root - 0.068;
      r = root * poly(u, -0x1.8b30862048b7cp+43, 0x1.03ed336945584p+40, -0x1.de02752085272p+34,
                      0x1.55700bb0e5892p+31, -0x1.64d119b04dcdcp+28, 0x1.01a71e91475ebp+25,
                      -0x1.7230d8648752fp+21, 0x1.1fea6c76a20b3p+18, -0x1.d740a8bf08717p+14,
                      0x1.9a624a9660caap+11, -0x1.86736eac2ac12p+8, 0x1.a557914ded0c4p+5,
                      -0x1.1fa3c91c7b6d5p+3, 0x1.362b7485f8b69p+1, -0x1.1479cdf8812dfp-1,
                      -0x1.20c9972d9b449p-3, 0x1.fcf4beb1dcbdcp-1);
    }
  }
  return r;
}

// erfcinv(y) for 0 < y < 2.
HEDDLE_INLINE double erfcinvOf(double y) {
  // y * (2 - y) = 1 - (1 - y)^2
  double product = y * (2.0 - y);
  bool tiny = y < 0x1p-1000;
  double w = -roundedLogOf(tiny ? y : product);
  return (1.0 - y) * inverseErfRatio(tiny ? w - ln_2.hi : w);
}

HEDDLE_INLINE double selectErfcinv(double y, double scale) {
  bool inside = both(y > 0.0, y < 2.0);
  double r = scale * erfcinvOf(inside ? y : 1.0);
  r += 0.0; // the result for y = 1 is +0 whatever the sign of the scale
  double outside = select(y == 0.0, scale * infinity<double>(), quietNan<double>());
  outside = select(y == 2.0, -scale * infinity<double>(), outside);
  return inside ? r : outside;
}

} // namespace

HEDDLE_API double __nv_erf(double x) {
  double ax = abs(x);
  double small = smallErf(limit(ax, 1.0));
  double a = limit(ax, 6.0);
  double large = 1.0 - erfcxOf(a) * expOf(negativeSquare(a));
  double r = copysign(ax < 1.0 ? small : large, x);
  return select(isNan(x), x + x, r);
}

HEDDLE_API double __nv_erfc(double x) {
  double a = limit(abs(x), 28.0);
  double r = erfcxOf(a) * expOf(negativeSquare(a));
  // Around 0 erfcx is sensitive to the rounding of its argument.
  r = select(a < 0.4375, 1.0 - smallErf(limit(a, 0.4375)), r);
  return select(isNegative(x), 2.0 - r, r);
}

HEDDLE_API double __nv_erfcx(double x) {
  double ax = abs(x);
  // Around 0 the polynomial is sensitive to the rounding of its argument, as in erfc.
  double near = limit(ax, 0.4375);
  double small = (1.0 - smallErf(near)) * expOf(negate(negativeSquare(near)));
  double r = select(ax < 0.4375, small, erfcxOf(ax));
  double growing = 2.0 * expOf(negate(negativeSquare(limit(ax, 28.0)))) - r;
  return select(isNegative(x), growing, r);
}

HEDDLE_API double __nv_normcdf(double x) {
  // erfc(-x / sqrt(2)) / 2, with x^2 / 2 rather than the square of a rounded quotient.
  double a = limit(abs(x), 40.0);
  Dd exponent = negativeSquare(a);
  double r =
      0.5 * erfcxOf(a * 0x1.6a09e667f3bcdp-1) * expOf({0.5 * exponent.hi, 0.5 * exponent.lo});
  return select(isNegative(x), r, 1.0 - r);
}

HEDDLE_API double __nv_erfinv(double x) {
  double ax = abs(x);
  bool inside = ax < 1.0;
  double limited = inside ? ax : 0.0;
  double w = -roundedLogOf((1.0 - limited) * (1.0 + limited));
  double r = copysign(ax * inverseErfRatio(w), x);
  double outside = select(ax == 1.0, copysign(infinity<double>(), x), quietNan<double>());
  return inside ? r : outside;
}

HEDDLE_API double __nv_erfcinv(double x) { return selectErfcinv(x, 1.0); }

HEDDLE_API double __nv_normcdfinv(double x) {
  return selectErfcinv(2.0 * x, -0x1.6a09e667f3bcdp+0);
}

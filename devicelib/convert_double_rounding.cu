// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Double-precision arithmetic with an explicit rounding mode (CUDA Math API, "Double Precision
// Intrinsics"). No wider type exists, so each function rebuilds the sign of its rounding error on
// operands scaled to the middle of the exponent range, where fma's error cannot underflow.
#include "rounding.h"

using namespace heddle;

namespace {

// x = mantissa * 2^exponent with 1 <= |mantissa| < 2; zero, infinity and NaN are their own
// mantissa.
struct Parts {
  double mantissa;
  i64 exponent;
};

HEDDLE_INLINE Parts split(double x) {
  double magnitude = abs(x);
  bool ordinary = magnitude > 0 && magnitude < infinity<double>();
  bool denormal = magnitude < 0x1p-1022;
  u64 bits = bitsOf(denormal ? x * 0x1p54 : x);
  i64 exponent = i64(bits >> 52 & 0x7ff) - 1023;
  double mantissa = doubleOf((bits & 0x800fffffffffffffull) | 0x3ff0000000000000ull);
  return {ordinary ? mantissa : x, ordinary ? exponent - (denormal ? 54 : 0) : 0};
}

// x * 2^n for |n| < 3000, in steps that neither overflow nor round before the result does.
HEDDLE_INLINE double scale(double x, i64 n) {
  i64 third = n / 3;
  return x * exp2Int(third) * exp2Int(third) * exp2Int(n - 2 * third);
}

template <Rounding mode> HEDDLE_INLINE double add(double a, double b) {
  double sum = a + b;
  double lost = sumError(a, b, sum);
  return signOfZeroSum<mode>(roundTowards<mode>(sum, lost), isNegative(a) != isNegative(b), sum);
}

template <Rounding mode> HEDDLE_INLINE double multiply(double a, double b) {
  Parts x = split(a), y = split(b);
  double product = a * b;
  double scaled = scale(product, -(x.exponent + y.exponent));
  return roundTowards<mode>(product, fma(x.mantissa, y.mantissa, -scaled));
}

template <Rounding mode> HEDDLE_INLINE double divide(double a, double b) {
  Parts x = split(a), y = split(b);
  double quotient = a / b;
  double scaled = scale(quotient, y.exponent - x.exponent);
  double remainder = fma(-scaled, y.mantissa, x.mantissa);
  return roundTowards<mode>(quotient, b < 0 ? -remainder : remainder);
}

template <Rounding mode> HEDDLE_INLINE double squareRoot(double a) {
  double root = sqrt(a);
  bool small = a < 0x1p-900;
  double x = small ? a * 0x1p200 : a, r = small ? root * 0x1p100 : root;
  return roundTowards<mode>(root, fma(-r, r, x));
}

// The sign of a*b + c - result. The operands are scaled so that a*b is about 1; a c that is then
// above or below everything a*b holds is moved near, which does not change the sign.
HEDDLE_INLINE double multiplyAddError(double a, double b, double c, double result) {
  Parts x = split(a), y = split(b), z = split(c);
  i64 product_exponent = x.exponent + y.exponent;
  i64 distance = z.exponent - product_exponent;
  bool far_above = distance > 120;
  i64 near = distance < -120 ? -120 : far_above ? 120 : distance;
  double addend = scale(z.mantissa, near);
  double high = x.mantissa * y.mantissa;
  double low = fma(x.mantissa, y.mantissa, -high);
  // The exact sum as result_high + result_low + tail (Boldo and Muller's error of an fma).
  double first = addend + low;
  double tail = sumError(addend, low, first);
  double result_high = high + first;
  double result_low = sumError(high, first, result_high);
  double scaled = scale(result, -product_exponent);
  double lost = ((result_high - scaled) + result_low) + tail;
  // Then the result is c, and the product's sign is what was lost.
  bool product_lost = far_above & (c != 0) & (abs(result) < infinity<double>());
  lost = product_lost ? high : lost;
  // Without a product the result is c exactly. An infinite or NaN operand makes `lost` NaN.
  return high == 0 ? 0.0 : lost;
}

template <Rounding mode> HEDDLE_INLINE double multiplyAdd(double a, double b, double c) {
  double result = fma(a, b, c);
  double lost = multiplyAddError(a, b, c, result);
  bool opposite = (isNegative(a) != isNegative(b)) != isNegative(c);
  return signOfZeroSum<mode>(roundTowards<mode>(result, lost), opposite, lost);
}

} // namespace

HEDDLE_API double __nv_dadd_rn(double a, double b) { return a + b; }
HEDDLE_API double __nv_dsub_rn(double a, double b) { return a - b; }
HEDDLE_API double __nv_dmul_rn(double a, double b) { return a * b; }
HEDDLE_API double __nv_ddiv_rn(double a, double b) { return a / b; }
HEDDLE_API double __nv_drcp_rn(double a) { return 1.0 / a; }
HEDDLE_API double __nv_dsqrt_rn(double a) { return sqrt(a); }
HEDDLE_API double __nv_fma_rn(double a, double b, double c) { return fma(a, b, c); }

#define DIRECTED(suffix, mode)                                                                     \
  HEDDLE_API double __nv_dadd_##suffix(double a, double b) { return add<mode>(a, b); }             \
  HEDDLE_API double __nv_dsub_##suffix(double a, double b) { return add<mode>(a, -b); }            \
  HEDDLE_API double __nv_dmul_##suffix(double a, double b) { return multiply<mode>(a, b); }        \
  HEDDLE_API double __nv_ddiv_##suffix(double a, double b) { return divide<mode>(a, b); }          \
  HEDDLE_API double __nv_drcp_##suffix(double a) { return divide<mode>(1.0, a); }                  \
  HEDDLE_API double __nv_dsqrt_##suffix(double a) { return squareRoot<mode>(a); }                  \
  HEDDLE_API double __nv_fma_##suffix(double a, double b, double c) {                              \
    return multiplyAdd<mode>(a, b, c);                                                             \
  }
DIRECTED(rz, Rounding::Zero)
DIRECTED(rd, Rounding::Down)
DIRECTED(ru, Rounding::Up)

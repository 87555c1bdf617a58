// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Single-precision arithmetic with an explicit rounding mode (CUDA Math API, "Single Precision
// Intrinsics"). Doubles hold these results with an error term that is exact or has the right sign.
#include "rounding.h"

using namespace heddle;

namespace {

template <Rounding mode> HEDDLE_INLINE float add(float a, float b) {
  double sum = double(a) + double(b);
  double lost = sumError(a, b, sum);
  return signOfZeroSum<mode>(narrowTowards<mode>(sum, lost), isNegative(a) != isNegative(b),
                             float(sum));
}

// The product of two floats is exact in double.
template <Rounding mode> HEDDLE_INLINE float multiply(float a, float b) {
  return narrowTowards<mode>(double(a) * double(b), 0.0);
}

template <Rounding mode> HEDDLE_INLINE float multiplyAdd(float a, float b, float c) {
  double product = double(a) * double(b);
  double sum = product + double(c);
  double lost = sumError(product, c, sum);
  bool opposite = isNegative(product) != isNegative(c);
  bool exact_zero = sum == 0;
  return signOfZeroSum<mode>(narrowTowards<mode>(sum, lost), opposite, exact_zero ? 0.0f : 1.0f);
}

template <Rounding mode> HEDDLE_INLINE float divide(float a, float b) {
  double quotient = double(a) / double(b);
  double remainder = fma(-quotient, double(b), double(a));
  return narrowTowards<mode>(quotient, b < 0 ? -remainder : remainder);
}

template <Rounding mode> HEDDLE_INLINE float squareRoot(float a) {
  double root = sqrt(double(a));
  return narrowTowards<mode>(root, fma(-root, root, double(a)));
}

} // namespace

HEDDLE_API float __nv_fadd_rn(float a, float b) { return a + b; }
HEDDLE_API float __nv_fsub_rn(float a, float b) { return a - b; }
HEDDLE_API float __nv_fmul_rn(float a, float b) { return a * b; }
HEDDLE_API float __nv_fdiv_rn(float a, float b) { return a / b; }
HEDDLE_API float __nv_frcp_rn(float a) { return 1.0f / a; }
HEDDLE_API float __nv_fsqrt_rn(float a) { return sqrt(a); }
HEDDLE_API float __nv_fmaf_rn(float a, float b, float c) { return fma(a, b, c); }
HEDDLE_API float __nv_fmaf_ieee_rn(float a, float b, float c) { return fma(a, b, c); }

#define DIRECTED(suffix, mode)                                                                     \
  HEDDLE_API float __nv_fadd_##suffix(float a, float b) { return add<mode>(a, b); }                \
  HEDDLE_API float __nv_fsub_##suffix(float a, float b) { return add<mode>(a, -b); }               \
  HEDDLE_API float __nv_fmul_##suffix(float a, float b) { return multiply<mode>(a, b); }           \
  HEDDLE_API float __nv_fdiv_##suffix(float a, float b) { return divide<mode>(a, b); }             \
  HEDDLE_API float __nv_frcp_##suffix(float a) { return divide<mode>(1.0f, a); }                   \
  HEDDLE_API float __nv_fsqrt_##suffix(float a) { return squareRoot<mode>(a); }                    \
  HEDDLE_API float __nv_fmaf_##suffix(float a, float b, float c) {                                 \
    return multiplyAdd<mode>(a, b, c);                                                             \
  }                                                                                                \
  HEDDLE_API float __nv_fmaf_ieee_##suffix(float a, float b, float c) {                            \
    return multiplyAdd<mode>(a, b, c);                                                             \
  }
DIRECTED(rz, Rounding::Zero)
DIRECTED(rd, Rounding::Down)
DIRECTED(ru, Rounding::Up)

// Double's error in 1/sqrt is far below the distance of any float's result from a rounding
// boundary.
HEDDLE_API float __nv_frsqrt_rn(float a) { return float(1.0 / sqrt(double(a))); }

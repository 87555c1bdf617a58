// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Single-precision functions that round, compare, take apart and put together numbers. All are
// exact.
#include "rounding.h"

using namespace heddle;

extern "C" __device__ long long __nv_float2ll_rn(float a);
extern "C" __device__ long long __nv_float2ll_rz(float a);

HEDDLE_API float __nv_fabsf(float a) { return abs(a); }
HEDDLE_API float __nv_copysignf(float a, float b) { return copysign(a, b); }
HEDDLE_API float __nv_sqrtf(float a) { return sqrt(a); }
HEDDLE_API float __nv_fmaf(float a, float b, float c) { return fma(a, b, c); }
HEDDLE_API float __nv_fmaxf(float a, float b) { return __builtin_fmaxf(a, b); }
HEDDLE_API float __nv_fminf(float a, float b) { return __builtin_fminf(a, b); }
HEDDLE_API float __nv_fdimf(float a, float b) { return a <= b ? 0.0f : a - b; }
// NaN becomes +0 (PTX ISA, .sat).
HEDDLE_API float __nv_saturatef(float a) { return a > 0 ? (a < 1.0f ? a : 1.0f) : 0.0f; }

HEDDLE_API int __nv_isnanf(float a) { return isNan(a); }
HEDDLE_API int __nv_isinff(float a) { return isInf(a); }
HEDDLE_API int __nv_finitef(float a) { return abs(a) < infinity<float>(); }
HEDDLE_API int __nv_signbitf(float a) { return isNegative(a); }
// The payload that the string asks for is not kept: operations need not keep it either.
HEDDLE_API float __nv_nanf(const signed char *tag) { return quietNan<float>(); }

HEDDLE_API float __nv_floorf(float a) { return floor(a); }
HEDDLE_API float __nv_ceilf(float a) { return __builtin_ceilf(a); }
HEDDLE_API float __nv_truncf(float a) { return trunc(a); }
HEDDLE_API float __nv_rintf(float a) { return rint(a); }
HEDDLE_API float __nv_nearbyintf(float a) { return rint(a); }
// Adding the largest float below 1/2 carries exactly the numbers from n + 1/2 on.
HEDDLE_API float __nv_roundf(float a) { return trunc(a + copysign(0x1.fffffep-2f, a)); }
HEDDLE_API long long __nv_llrintf(float a) { return __nv_float2ll_rn(a); }
HEDDLE_API long long __nv_llroundf(float a) { return __nv_float2ll_rz(__nv_roundf(a)); }

HEDDLE_API float __nv_modff(float a, float *integral) {
  float whole = trunc(a);
  *integral = whole;
  return copysign(isInf(a) ? 0.0f : a - whole, a);
}

HEDDLE_API float __nv_nextafterf(float a, float b) {
  float next = a < b ? nextUp(a) : nextDown(a);
  return isNan(a) || isNan(b) ? a + b : a == b ? b : next;
}

// a = mantissa * 2^exponent with 1 <= |mantissa| < 2, for a finite and not zero.
struct FloatParts {
  float mantissa;
  i32 exponent;
};
HEDDLE_INLINE FloatParts splitFloat(float a) {
  bool denormal = abs(a) < 0x1p-126f;
  u32 bits = bitsOf(denormal ? a * 0x1p24f : a);
  i32 exponent = i32(bits >> 23 & 0xff) - 127 - (denormal ? 24 : 0);
  return {floatOf((bits & 0x807fffff) | 0x3f800000), exponent};
}
HEDDLE_INLINE bool isOrdinary(float a) { return a != 0 && abs(a) < infinity<float>(); }

HEDDLE_API float __nv_frexpf(float a, int *exponent) {
  FloatParts p = splitFloat(a);
  bool ordinary = isOrdinary(a);
  *exponent = ordinary ? p.exponent + 1 : 0;
  return ordinary ? 0.5f * p.mantissa : a + a;
}
HEDDLE_API int __nv_ilogbf(float a) {
  i32 special = isInf(a) ? i32(~0u >> 1) : i32(1u << 31);
  return isOrdinary(a) ? splitFloat(a).exponent : special;
}
HEDDLE_API float __nv_logbf(float a) {
  float special = a == 0 ? -infinity<float>() : a * a;
  return isOrdinary(a) ? float(splitFloat(a).exponent) : special;
}

// In double the scaling is exact, and the result rounds once.
HEDDLE_API float __nv_ldexpf(float a, int n) {
  i32 bounded = n > 400 ? 400 : n < -400 ? -400 : n;
  return float(double(a) * exp2Int(i64(bounded)));
}
HEDDLE_API float __nv_scalbnf(float a, int n) { return __nv_ldexpf(a, n); }

// |a| mod |b|, exactly, for a finite and b not zero. A quotient below 2^28 takes one step: it is a
// double's worth of bits, and its product with b is exact. Larger ones come down 28 bits a turn.
HEDDLE_INLINE double positiveRemainder(double a, double b) {
  double r = a;
  while (r >= b * 0x1p28) {
    i64 distance = i64(bitsOf(r) >> 52) - i64(bitsOf(b) >> 52);
    double step = b * exp2Int(distance - 27);
    double q = trunc(r / step);
    r = fma(-q, step, r);
    r = r < 0 ? r + step : r;
  }
  r = fma(-trunc(r / b), b, r);
  return r < 0 ? r + b : r;
}

HEDDLE_INLINE bool hasRemainder(float a, float b) {
  return abs(a) < infinity<float>() && b != 0 && !isNan(b);
}

// Infinity divides like any number that is larger than all floats.
HEDDLE_INLINE double divisor(float b, bool valid) {
  double finite = isInf(b) ? 0x1p200 : double(abs(b));
  return valid ? finite : 1.0;
}

HEDDLE_API float __nv_fmodf(float a, float b) {
  bool valid = hasRemainder(a, b);
  float r = float(positiveRemainder(valid ? abs(a) : 0.0f, divisor(b, valid)));
  return valid ? copysign(r, a) : quietNan<float>();
}

// The nearest multiple of b, ties to even, is found after all but the quotient's last bits are
// gone.
HEDDLE_API float __nv_remquof(float a, float b, int *quotient) {
  bool valid = hasRemainder(a, b);
  double y = divisor(b, valid);
  double r = positiveRemainder(valid ? abs(a) : 0.0f, 8.0 * y);
  double q = rint(r / y);
  r = fma(-q, y, r);
  i32 bits = i32(q) & 7;
  bits = isNegative(a) != isNegative(b) ? -bits : bits;
  *quotient = valid ? bits : 0;
  // A zero has the sign of a, whatever sign it was rounded with.
  float result = isNegative(a) ? -float(r) : float(r);
  result = r == 0 ? copysign(0.0f, a) : result;
  return valid ? result : quietNan<float>();
}
HEDDLE_API float __nv_remainderf(float a, float b) {
  int quotient;
  return __nv_remquof(a, b, &quotient);
}

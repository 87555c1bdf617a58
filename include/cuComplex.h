// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuComplex.h: complex numbers in single (cuFloatComplex) and double precision (cuDoubleComplex)
// for host and device code, in C and C++. x is the real part, y the imaginary part.
#ifndef CU_COMPLEX_H_
#define CU_COMPLEX_H_

#ifndef __CUDACC_RTC__
#include <math.h>
#endif

#include "vector_types.h"

#ifdef __CUDACC__
#include <cuda_runtime.h>
#define __HEDDLE_COMPLEX__ static inline __attribute__((host, device))
#else
#define __HEDDLE_COMPLEX__ static inline
#endif

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

// The functions for both precisions: cuC<name>f for Real float and cuC<name> for Real double.
// A quotient is scaled by the size of the divisor, so that nothing overflows on the way to a result
// that does not.
#define __HEDDLE_COMPLEX_FUNCTIONS(Complex, Real, F)                                               \
  __HEDDLE_COMPLEX__ Real cuCreal##F(Complex a) { return a.x; }                                    \
  __HEDDLE_COMPLEX__ Real cuCimag##F(Complex a) { return a.y; }                                    \
  __HEDDLE_COMPLEX__ Complex make_##Complex(Real real, Real imaginary) {                           \
    Complex result;                                                                                \
    result.x = real;                                                                               \
    result.y = imaginary;                                                                          \
    return result;                                                                                 \
  }                                                                                                \
  __HEDDLE_COMPLEX__ Complex cuConj##F(Complex a) { return make_##Complex(a.x, -a.y); }            \
  __HEDDLE_COMPLEX__ Complex cuCadd##F(Complex a, Complex b) {                                     \
    return make_##Complex(a.x + b.x, a.y + b.y);                                                   \
  }                                                                                                \
  __HEDDLE_COMPLEX__ Complex cuCsub##F(Complex a, Complex b) {                                     \
    return make_##Complex(a.x - b.x, a.y - b.y);                                                   \
  }                                                                                                \
  __HEDDLE_COMPLEX__ Complex cuCmul##F(Complex a, Complex b) {                                     \
    return make_##Complex(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);                           \
  }                                                                                                \
  __HEDDLE_COMPLEX__ Complex cuCdiv##F(Complex a, Complex b) {                                     \
    const Real scale = (Real)1 / (fabs##F(b.x) + fabs##F(b.y));                                    \
    const Real ax = a.x * scale, ay = a.y * scale, bx = b.x * scale, by = b.y * scale;             \
    const Real inverse = (Real)1 / (bx * bx + by * by);                                            \
    return make_##Complex((ax * bx + ay * by) * inverse, (ay * bx - ax * by) * inverse);           \
  }                                                                                                \
  __HEDDLE_COMPLEX__ Real cuCabs##F(Complex a) { return hypot##F(a.x, a.y); }                      \
  __HEDDLE_COMPLEX__ Complex cuCfma##F(Complex a, Complex b, Complex c) {                          \
    return make_##Complex((a.x * b.x + c.x) - a.y * b.y, (a.y * b.x + c.y) + a.x * b.y);           \
  }
__HEDDLE_COMPLEX_FUNCTIONS(cuFloatComplex, float, f)
__HEDDLE_COMPLEX_FUNCTIONS(cuDoubleComplex, double, )
#undef __HEDDLE_COMPLEX_FUNCTIONS

__HEDDLE_COMPLEX__ cuComplex make_cuComplex(float real, float imaginary) {
  return make_cuFloatComplex(real, imaginary);
}
__HEDDLE_COMPLEX__ cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex a) {
  return make_cuDoubleComplex((double)a.x, (double)a.y);
}
__HEDDLE_COMPLEX__ cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex a) {
  return make_cuFloatComplex((float)a.x, (float)a.y);
}

#undef __HEDDLE_COMPLEX__

#endif

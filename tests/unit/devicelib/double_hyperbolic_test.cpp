// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Accuracy and special cases of the double hyperbolic functions and their inverses. The bounds are
// those of the CUDA C++ Programming Guide, "Mathematical Functions Appendix".
#include "double_accuracy.h"

#include <gtest/gtest.h>

#include <cfloat>
#include <cmath>

extern "C" {
double __nv_sinh(double);
double __nv_cosh(double);
double __nv_tanh(double);
double __nv_asinh(double);
double __nv_acosh(double);
double __nv_atanh(double);
}

namespace heddle::test {
namespace {

constexpr double inf = HUGE_VAL;
const double nan = std::nan("");

TEST(DoubleHyperbolic, Sinh) {
  auto reference = [](long double x) { return std::sinh(x); };
  expectUlps(__nv_sinh, reference, 2, {-2, 2});
  expectUlps(__nv_sinh, reference, 2, {-711, 711});
  expectUlps(__nv_sinh, reference, 2, {DBL_TRUE_MIN, 1, Spread::Exponents});
  expectSame(__nv_sinh(-0.0), -0.0);
  expectSame(__nv_sinh(inf), inf);
  expectSame(__nv_sinh(-1e300), -inf);
  expectSame(__nv_sinh(nan), nan);
}

TEST(DoubleHyperbolic, Cosh) {
  auto reference = [](long double x) { return std::cosh(x); };
  expectUlps(__nv_cosh, reference, 1, {-2, 2});
  expectUlps(__nv_cosh, reference, 1, {-711, 711});
  expectSame(__nv_cosh(0), 1);
  expectSame(__nv_cosh(-inf), inf);
  expectSame(__nv_cosh(nan), nan);
}

TEST(DoubleHyperbolic, Tanh) {
  auto reference = [](long double x) { return std::tanh(x); };
  expectUlps(__nv_tanh, reference, 1, {-2, 2});
  expectUlps(__nv_tanh, reference, 1, {-30, 30});
  expectUlps(__nv_tanh, reference, 1, {DBL_TRUE_MIN, 1, Spread::Exponents});
  expectSame(__nv_tanh(-0.0), -0.0);
  expectSame(__nv_tanh(inf), 1);
  expectSame(__nv_tanh(-1e300), -1);
  expectSame(__nv_tanh(nan), nan);
}

TEST(DoubleHyperbolic, Asinh) {
  auto reference = [](long double x) { return std::asinh(x); };
  expectUlps(__nv_asinh, reference, 2, {-2, 2});
  expectUlps(__nv_asinh, reference, 2, {DBL_TRUE_MIN, DBL_MAX, Spread::Exponents});
  expectUlps(__nv_asinh, reference, 2, {-1e-8, -1e10, Spread::Exponents});
  expectSame(__nv_asinh(-0.0), -0.0);
  expectSame(__nv_asinh(-inf), -inf);
  expectSame(__nv_asinh(nan), nan);
}

TEST(DoubleHyperbolic, Acosh) {
  auto reference = [](long double x) { return std::acosh(x); };
  expectUlps(__nv_acosh, reference, 2, {1, 3});
  expectUlps(__nv_acosh, reference, 2, {1, 1.00001});
  expectUlps(__nv_acosh, reference, 2, {1, DBL_MAX, Spread::Exponents});
  expectSame(__nv_acosh(1), 0);
  expectSame(__nv_acosh(0.999), nan);
  expectSame(__nv_acosh(-inf), nan);
  expectSame(__nv_acosh(inf), inf);
  expectSame(__nv_acosh(nan), nan);
}

TEST(DoubleHyperbolic, Atanh) {
  auto reference = [](long double x) { return std::atanh(x); };
  expectUlps(__nv_atanh, reference, 2, {-0.9999999, 0.9999999});
  expectUlps(__nv_atanh, reference, 2, {DBL_TRUE_MIN, 0.5, Spread::Exponents});
  expectUlps(__nv_atanh, reference, 2, {0.9999999, 1 - 0x1p-53});
  expectSame(__nv_atanh(1), inf);
  expectSame(__nv_atanh(-1), -inf);
  expectSame(__nv_atanh(-0.0), -0.0);
  expectSame(__nv_atanh(1.1), nan);
  expectSame(__nv_atanh(nan), nan);
}

} // namespace
} // namespace heddle::test

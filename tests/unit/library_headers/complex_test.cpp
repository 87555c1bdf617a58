// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cuComplex.h>

#include <gtest/gtest.h>

#include <complex>

namespace {

TEST(CuComplex, agreesWithStdComplex) {
  for (double x : {-3.0, -0.5, 0.25, 7.0})
    for (double y : {-2.0, 0.125, 5.0})
      for (double u : {-1.5, 4.0}) {
        const std::complex<double> a(x, y), b(u, x + 0.5);
        const cuDoubleComplex c = make_cuDoubleComplex(x, y), d = make_cuDoubleComplex(u, x + 0.5);
        const auto same = [](cuDoubleComplex got, std::complex<double> want) {
          EXPECT_DOUBLE_EQ(cuCreal(got), want.real());
          EXPECT_DOUBLE_EQ(cuCimag(got), want.imag());
        };
        same(cuCadd(c, d), a + b);
        same(cuCsub(c, d), a - b);
        same(cuCmul(c, d), a * b);
        same(cuCdiv(c, d), a / b);
        same(cuConj(c), std::conj(a));
        same(cuCfma(c, d, c), a * b + a);
        EXPECT_DOUBLE_EQ(cuCabs(c), std::abs(a));
        const cuFloatComplex quotient =
            cuCdivf(cuComplexDoubleToFloat(c), cuComplexDoubleToFloat(d));
        EXPECT_NEAR(cuCrealf(quotient), (a / b).real(), 1e-5);
        EXPECT_NEAR(cuCimagf(quotient), (a / b).imag(), 1e-5);
      }
}

TEST(CuComplex, doesNotOverflowOnTheWay) {
  EXPECT_FLOAT_EQ(cuCabsf(make_cuComplex(3e38f, 0.0f)), 3e38f);
  EXPECT_DOUBLE_EQ(cuCabs(make_cuDoubleComplex(3e300, 4e300)), 5e300);
  const cuFloatComplex large = make_cuFloatComplex(1e38f, 1e38f);
  EXPECT_FLOAT_EQ(cuCdivf(large, large).x, 1.0f);
  EXPECT_NEAR(cuCdivf(large, large).y, 0.0f, 1e-6f); // products may be fused
}

TEST(CuComplex, converts) {
  const cuDoubleComplex wide = cuComplexFloatToDouble(make_cuFloatComplex(0.1f, -2.0f));
  EXPECT_EQ(wide.x, double(0.1f));
  EXPECT_EQ(wide.y, -2.0);
}

} // namespace

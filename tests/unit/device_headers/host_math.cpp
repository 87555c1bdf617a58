// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The host versions of CUDA's own math functions against exact values, and at the edges of their
// domains. The tolerance is in units in the last place of the double result.
#include <__heddle/math_host.h>

#include "host_math_expected.h"

#include <cmath>
#include <cstdio>

namespace {

int failures = 0;

void near(const char *name, double x, double got, double want, double ulps) {
  double unit = std::nextafter(std::fabs(want), INFINITY) - std::fabs(want);
  if (std::fabs(got - want) <= ulps * unit)
    return;
  std::printf("%s(%.17g) = %.17g, not %.17g (%.1f ulp)\n", name, x, got, want,
              std::fabs(got - want) / unit);
  ++failures;
}

void same(const char *what, double got, double want) {
  if ((std::isnan(got) && std::isnan(want)) ||
      (got == want && std::signbit(got) == std::signbit(want)))
    return;
  std::printf("%s = %g, not %g\n", what, got, want);
  ++failures;
}
#define SAME(EXPRESSION, WANT) same(#EXPRESSION, EXPRESSION, WANT)

void edges() {
  SAME(rsqrt(0.0), INFINITY);
  SAME(rsqrt(-1.0), NAN);
  SAME(sinpi(1.0), 0.0);
  SAME(sinpi(-0.0), -0.0);
  SAME(sinpi(2.5), 1.0);
  SAME(sinpi(INFINITY), NAN);
  SAME(cospi(0.5), 0.0);
  SAME(cospi(1.0), -1.0);
  SAME(cospi(1e20), 1.0);
  SAME(normcdfinv(0.0), -INFINITY);
  SAME(normcdfinv(1.0), INFINITY);
  SAME(normcdfinv(0.5), 0.0);
  SAME(normcdfinv(1.5), NAN);
  SAME(erfinv(1.0), INFINITY);
  SAME(erfinv(-1.0), -INFINITY);
  SAME(erfinv(2.0), NAN);
  SAME(erfcinv(0.0), INFINITY);
  SAME(erfcinv(2.0), -INFINITY);
  SAME(erfcx(-30.0), INFINITY);
  SAME(norm3d(3.0, 4.0, 12.0), 13.0);
  SAME(norm3d(3e300, 4e300, 0.0), 5e300);
  SAME(norm3d(INFINITY, NAN, 0.0), INFINITY);
  SAME(rnorm4d(2.0, 2.0, 2.0, 2.0), 0.25);
  SAME(rhypot(3.0, 4.0), 0.2);
  SAME(norm3df(3.0f, 4.0f, 12.0f), 13.0);
  SAME(rsqrtf(4.0f), 0.5);
  SAME(fdividef(1.0f, 4.0f), 0.25);
}

} // namespace

int main() {
  for (const Exact &e : exact)
    near(e.name, e.x, e.function(e.x), e.y, 16);
  edges();
  std::printf("%d failures\n", failures);
  return failures != 0;
}

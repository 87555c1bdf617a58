// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Measures how far a double-precision function of the device library is from a more precise
// reference, in units of the last place (ulp), over random and edge arguments.
#pragma once

#include <functional>
#include <initializer_list>

namespace heddle::test {

// How random arguments are spread over an interval: evenly, or evenly in their exponents.
enum class Spread { Linear, Exponents };

struct Interval {
  double low, high;
  Spread spread = Spread::Linear;
};

using Function1 = double (*)(double);
using Function2 = double (*)(double, double);
using Reference1 = std::function<long double(long double)>;
using Reference2 = std::function<long double(long double, long double)>;

// |got - want| in ulps of want as a double; infinity when one is a NaN or an infinity and the
// other is not. The sign of a zero counts.
double ulpError(double got, long double want);

// Fails the running test where the function is further than the bound from the reference at any of
// the given number of arguments in an interval, or at the interval's ends.
void expectUlps(Function1 function, const Reference1 &reference, double bound, Interval x,
                int count = 40000);
void expectUlps(Function2 function, const Reference2 &reference, double bound, Interval x,
                Interval y, int count = 40000);

// Fails the running test unless the two are the same number with the same sign, or both NaN.
void expectSame(double got, double want);

} // namespace heddle::test

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What fmin and fmax are to give: of a number and a NaN the number, and -0 is less than 0.
#pragma once

#include "check.h"

template <class T> T expectedMinimum(T a, T b, bool least) {
  if (a != a)
    return b;
  if (b != b)
    return a;
  if (a == 0 && b == 0)
    return std::signbit(a) == least ? a : b;
  return (a < b) == least ? a : b;
}

/// The same number, also of zeros; or both are none.
template <class T> void checkSame(T is, T should) {
  CHECK(is == should || (is != is && should != should));
  CHECK_EQ(should == should && std::signbit(is), should == should && std::signbit(should));
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The plain loop keeps the divider busy. Estimates of reciprocals and Newton's method, in the place
// of all divisions or of some, were no faster on a Zen 5.
#include "omp.cpp"

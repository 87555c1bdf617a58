// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each line of y is read anyway, so there is nothing to gain from writing it past the caches, and
// fetching lines ahead, measured on a Zen 5, is what the hardware does well enough: the plain loop
// is the best.
#include "omp.cpp"

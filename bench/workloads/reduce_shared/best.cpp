// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Clang keeps several vectors of sums, so that additions need not wait for each other, and memory
// is the limit: more of them, and fetching lines ahead, were no faster on a Zen 5.
#include "omp.cpp"

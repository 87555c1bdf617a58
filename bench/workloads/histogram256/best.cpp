// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The plain loop already adds to memory once a cycle, as often as a core can. Several tables in
// turn, loading words, and counting pairs of bytes were tried on a Zen 5 and were no faster.
#include "omp.cpp"

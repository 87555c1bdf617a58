// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parameter and result objects of the solvers with iterative refinement (IRS).
#pragma once

#include "handle.h"

#include <vector>

struct cusolverDnIRSParams {
  cusolverIRSRefinement_t refinement = CUSOLVER_IRS_REFINE_NOT_SET;
  cusolverPrecType_t main = cusolverPrecType_t(0), lowest = cusolverPrecType_t(0); // not set
  double tolerance = 0, inner_tolerance = 0;                                       // 0: the default
  int max_iterations = 50, max_inner_iterations = 50;
  bool fallback = true;
  int results = 0; // how many result objects were used with it and live
};

struct cusolverDnIRSInfos {
  cusolverDnIRSParams *params = nullptr; // of the last call
  int iterations = 0, outer_iterations = 0, max_iterations = 0;
  bool residual_requested = false;
  // A row for the start and each iteration, a column for each right-hand side, in the main
  // precision: (max_iterations + 1) by nrhs.
  std::vector<char> history;
};

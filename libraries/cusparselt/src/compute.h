// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A product of a compressed matrix with a dense one.
#pragma once

#include "descriptions.h"

namespace heddle::cusparselt {

struct MatmulData {
  const void *a, *b, *c;
  void *d;
  const float *alpha, *beta; // one, or one for each row of D
};

/// Computes it, on the thread that calls.
void compute(const Matmul &matmul, const MatmulData &data);

} // namespace heddle::cusparselt

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A failing assert under CUDA_LAUNCH_BLOCKING=1: the launch gives the error.
// env: CUDA_LAUNCH_BLOCKING=1
// stderr-contains: Assertion `false && "always"` failed.
#include "check.h"
#include <cassert>

__global__ void fail() { assert(false && "always"); }

int main() {
  fail<<<1, 1>>>();
  CHECK_EQ(cudaGetLastError(), cudaErrorAssert);
  RETURN_RESULT();
}

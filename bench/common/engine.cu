// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ends with 0 if there is the engine that HEDDLE_ENGINE names, for bench/run.py.
#include "common/cuda.h"

__global__ void nothing() {}

int main() {
  nothing<<<1, 1>>>();
  bench::finish();
  return 0;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "managed.h"

#include <cuda_runtime.h>

__managed__ int count_there = 100;
__managed__ int totals[2] = {1, 1};

namespace {

__global__ void change() {
  ++count_here;
  totals[1] += 1;
}

} // namespace

void changeThere() {
  totals[1] += 1;
  change<<<1, 1>>>();
  cudaDeviceSynchronize();
}

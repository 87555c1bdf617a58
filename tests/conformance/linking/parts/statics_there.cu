// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "statics.h"

#include <cuda_runtime.h>

static __device__ int counter = 100;
static __constant__ int factor = 3;

static __device__ int scaled(int value) { return value * factor; }

static __global__ void count(int *out) { *out = scaled(counter++); }

namespace {
__device__ int hidden = 50;
__global__ void showHidden(int *out) { *out = hidden; }
} // namespace

void countThere(int *out) { count<<<1, 1>>>(out); }

int counterThere() {
  int value = 0;
  cudaMemcpyFromSymbol(&value, counter, sizeof value);
  return value;
}

void showHiddenThere(int *out) { showHidden<<<1, 1>>>(out); }

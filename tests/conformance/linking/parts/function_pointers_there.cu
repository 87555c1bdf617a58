// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "function_pointers.h"

__device__ int square(int value) { return value * value; }
__device__ int increment(int value) { return value + 1; }

__device__ Operation operations[2] = {increment, negate};

__device__ Operation squareAsSeenThere() { return square; }
__device__ Operation inlineAsSeenThere() { return halve; }

namespace {

__global__ void apply(Operation operation, int *out, int value) { *out = operation(value); }

} // namespace

void applyThere(Operation operation, int *out, int value) {
  apply<<<1, 1>>>(operation, out, value);
}

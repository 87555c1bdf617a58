// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

using Operation = int (*)(int);

__device__ int negate(int value);
__device__ int square(int value);
__device__ int increment(int value);
inline __device__ int halve(int value) { return value / 2; }

extern __device__ Operation operations[2];

__device__ Operation squareAsSeenThere();
__device__ Operation inlineAsSeenThere();
void applyThere(Operation operation, int *out, int value);

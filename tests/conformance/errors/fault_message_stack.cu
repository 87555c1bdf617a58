// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The message about a stack that overflows says so, and where.
// flags: -lineinfo
// stderr-contains: stack overflow (cudaLimitStackSize)
// stderr-contains: in descend(int)
// hardware: skip a GPU does not say where
#include "fault.h"

__device__ int descend(int level) {
  volatile int local[8];
  local[level % 8] = level;
  return descend(level + 1) + local[level % 8];
}

__global__ void start(int *out) { *out = descend(0); }

int main() {
  int *out;
  CHECK_CUDA(cudaMalloc(&out, sizeof(int)));
  start<<<1, 1>>>(out);
  checkFault(cudaErrorIllegalAddress);
  RETURN_RESULT();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel that reads an element of a null array, in one thread of many.
#include "fault.h"

__global__ void readFrom(const int *p, int *out) {
  if (blockIdx.x == 3 && threadIdx.x == 17)
    *out = p[100];
}

int main() {
  int *out;
  CHECK_CUDA(cudaMalloc(&out, sizeof(int)));
  readFrom<<<10, 64>>>(nullptr, out);
  checkFault(cudaErrorIllegalAddress);
  RETURN_RESULT();
}

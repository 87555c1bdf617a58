// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory of a large allocation that has been freed is no longer there.
#include "fault.h"

__global__ void readFrom(const int *p, int *out) { *out = p[12345]; }

int main() {
  int *data, *out;
  CHECK_CUDA(cudaMalloc(&out, sizeof(int)));
  CHECK_CUDA(cudaMalloc(&data, 256 << 20));
  CHECK_CUDA(cudaFree(data));
  readFrom<<<1, 1>>>(data, out);
  checkFault(cudaErrorIllegalAddress);
  RETURN_RESULT();
}

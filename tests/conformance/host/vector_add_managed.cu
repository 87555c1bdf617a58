// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Vector addition in unified memory: the host fills the vectors and reads the sum through the
// pointers that the kernel uses.
#include "vector_add.h"

int main() {
  const int n = vectorLength;
  float *a, *b, *c;
  CHECK_CUDA(cudaMallocManaged(&a, n * sizeof(float)));
  CHECK_CUDA(cudaMallocManaged(&b, n * sizeof(float)));
  CHECK_CUDA(cudaMallocManaged(&c, n * sizeof(float)));
  for (int i = 0; i < n; ++i) {
    a[i] = 7;
    b[i] = 12;
    c[i] = -1;
  }
  launchAdd(a, b, c, n);
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_EQ(countOthers(c, n, 19), 0);
  CHECK_CUDA(cudaFree(a));
  CHECK_CUDA(cudaFree(b));
  CHECK_CUDA(cudaFree(c));
  RETURN_RESULT();
}

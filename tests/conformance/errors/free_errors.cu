// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Freeing twice, wild pointers, the middle of an allocation, with the wrong function: an error
// and no harm. Freeing null is fine.
#include "check.h"

int main() {
  char *a, *b, *pinned;
  CHECK_CUDA(cudaMalloc(&a, 1000));
  CHECK_CUDA(cudaMalloc(&b, 1000));
  CHECK_CUDA(cudaMallocHost(&pinned, 1000));
  CHECK_CUDA(cudaFree(a));
  CHECK_EQ(cudaFree(a), cudaErrorInvalidValue);
  CHECK_EQ(cudaGetLastError(), cudaErrorInvalidValue);
  CHECK_EQ(cudaFree(reinterpret_cast<void *>(0x12345600)), cudaErrorInvalidValue);
  CHECK_EQ(cudaFree(b + 100), cudaErrorInvalidValue);
  int local = 0;
  CHECK_EQ(cudaFree(&local), cudaErrorInvalidValue);
  CHECK_EQ(cudaFreeHost(b), cudaErrorInvalidValue);
  CHECK_EQ(cudaFree(pinned), cudaErrorInvalidValue);
  (void)cudaGetLastError();
  CHECK_CUDA(cudaFree(nullptr));
  CHECK_CUDA(cudaFreeHost(nullptr));
  CHECK_CUDA(cudaMemset(b, 0, 1000)); // still there
  CHECK_CUDA(cudaFree(b));
  CHECK_CUDA(cudaFreeHost(pinned));
  CHECK_EQ(cudaFreeHost(pinned), cudaErrorInvalidValue);
  RETURN_RESULT();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A barrier that waits for more threads than there are can never complete. A GPU hangs; Heddle
// ends the kernel with an error and says which barrier it was.
// flags: -lineinfo
// timeout: 30
// stderr-contains: barrier
// stderr-contains: waitForMore
// hardware: skip a GPU would hang
#include "check.h"

__global__ void waitForMore(int *out) {
  asm volatile("bar.sync 1, 128;" ::: "memory");
  *out = 1;
}

int main() {
  int *out;
  CHECK_CUDA(cudaMalloc(&out, sizeof(int)));
  waitForMore<<<2, 64>>>(out);
  CHECK_EQ(cudaGetLastError(), cudaSuccess);
  CHECK(cudaDeviceSynchronize() != cudaSuccess);
  CHECK(cudaMemset(out, 0, sizeof(int)) != cudaSuccess); // sticky
  RETURN_RESULT();
}

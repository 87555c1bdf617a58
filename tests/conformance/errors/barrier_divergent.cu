// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads that wait at different barriers for each other: error, not a hang.
// timeout: 30
// hardware: skip a GPU would hang
#include "check.h"

__global__ void crossed(int *out) {
  if (threadIdx.x < 32) {
    asm volatile("bar.sync 1, 64;" ::: "memory");
    asm volatile("bar.sync 2, 64;" ::: "memory");
  } else {
    asm volatile("bar.sync 2, 64;" ::: "memory");
    asm volatile("bar.sync 1, 64;" ::: "memory");
  }
  *out = 1;
}

int main() {
  int *out;
  CHECK_CUDA(cudaMalloc(&out, sizeof(int)));
  crossed<<<1, 64>>>(out);
  CHECK(cudaDeviceSynchronize() != cudaSuccess);
  RETURN_RESULT();
}

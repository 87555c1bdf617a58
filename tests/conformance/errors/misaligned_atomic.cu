// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An atomic operation on a 64-bit integer at a multiple of 4.
#include "fault.h"

__global__ void add(char *memory, int offset) {
  atomicAdd(reinterpret_cast<unsigned long long *>(memory + offset), 1ull);
}

int main() {
  char *memory;
  CHECK_CUDA(cudaMalloc(&memory, 100));
  add<<<1, 1>>>(memory, 16);
  CHECK_CUDA(cudaDeviceSynchronize());
  add<<<1, 1>>>(memory, 12);
  checkFault(cudaErrorMisalignedAddress);
  RETURN_RESULT();
}

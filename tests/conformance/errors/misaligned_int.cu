// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An int written at an odd address.
#include "fault.h"

__global__ void store(char *memory, int offset) {
  *reinterpret_cast<volatile int *>(memory + offset) = 5;
}

int main() {
  char *memory;
  CHECK_CUDA(cudaMalloc(&memory, 100));
  store<<<1, 1>>>(memory, 8);
  CHECK_CUDA(cudaDeviceSynchronize());
  store<<<1, 1>>>(memory, 5);
  checkFault(cudaErrorMisalignedAddress);
  RETURN_RESULT();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An index error that leads far out of an array.
#include "fault.h"

__global__ void writeAt(int *data, long long index) { data[index] = 1; }

int main() {
  int *data;
  CHECK_CUDA(cudaMalloc(&data, 4096));
  writeAt<<<1, 1>>>(data, 1ll << 42);
  checkFault(cudaErrorIllegalAddress);
  RETURN_RESULT();
}

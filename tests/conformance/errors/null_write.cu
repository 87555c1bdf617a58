// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel that writes through a null pointer: cudaErrorIllegalAddress at the next
// synchronisation, and in every call after it.
#include "fault.h"

__global__ void writeTo(int *p) { *p = 1; }

int main() {
  writeTo<<<1, 1>>>(nullptr);
  checkFault(cudaErrorIllegalAddress);
  RETURN_RESULT();
}

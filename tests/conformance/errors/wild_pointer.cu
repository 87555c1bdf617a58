// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A pointer far from any allocation.
#include "fault.h"

__global__ void writeTo(long long *p) { *p = 1; }

int main() {
  writeTo<<<1, 32>>>(reinterpret_cast<long long *>(0x123456789abc0ull));
  checkFault(cudaErrorIllegalAddress);
  RETURN_RESULT();
}

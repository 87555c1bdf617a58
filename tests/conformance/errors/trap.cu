// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// __trap() ends the kernel with an error.
#include "fault.h"

__global__ void giveUp(int when) {
  if (threadIdx.x == when)
    __trap();
}

int main() {
  giveUp<<<1, 32>>>(32);
  CHECK_CUDA(cudaDeviceSynchronize());
  giveUp<<<1, 32>>>(31);
  checkFault(cudaErrorLaunchFailure);
  RETURN_RESULT();
}

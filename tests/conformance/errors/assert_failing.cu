// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A failing assert: the text names file, line, function, block, thread and condition, and the
// error is cudaErrorAssert.
// stderr-contains: assert_failing.cu:12:
// stderr-contains: checkSmall
// stderr-contains: block: [1,0,0], thread: [5,2,0] Assertion `value < 3` failed.
#include "fault.h"
#include <cassert>

__global__ void checkSmall(int special) {
  const int value = blockIdx.x == 1 && threadIdx.x == 5 && threadIdx.y == 2 ? special : 0;
  assert(value < 3);
}

int main() {
  checkSmall<<<2, dim3(8, 4)>>>(2);
  CHECK_CUDA(cudaDeviceSynchronize());
  checkSmall<<<2, dim3(8, 4)>>>(3);
  checkFault(cudaErrorAssert);
  RETURN_RESULT();
}

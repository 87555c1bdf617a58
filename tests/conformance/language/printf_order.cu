// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Text of kernels in one stream appears in launch order, and before what the host prints after
// synchronising.
// stdout: device 0
// stdout: device 1
// stdout: host 1
// stdout: device 2
// stdout: host 2
#include "check.h"

__global__ void show(int number) { printf("device %d\n", number); }

int main() {
  show<<<1, 1>>>(0);
  show<<<1, 1>>>(1);
  CHECK_EQ(cudaDeviceSynchronize(), cudaSuccess);
  printf("host 1\n");
  fflush(stdout);
  show<<<1, 1>>>(2);
  CHECK_EQ(cudaDeviceSynchronize(), cudaSuccess);
  printf("host 2\n");
  RETURN_RESULT();
}

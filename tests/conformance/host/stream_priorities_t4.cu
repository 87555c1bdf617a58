// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The priority range of a Tesla T4 as course material prints it.
// env: HEDDLE_GPU=t4
// stdout: Priority Range: low(0), high(-1)
// hardware: skip asks for a T4
#include "check.h"

int main() {
  int low = 1, high = 1;
  CHECK_CUDA(cudaDeviceGetStreamPriorityRange(&low, &high));
  CHECK(low > high);
  printf("Priority Range: low(%d), high(%d)\n", low, high);
  RETURN_RESULT();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Text printed on the device is lost when the program ends without a synchronising call.
// stdout: host only
#include "check.h"

__global__ void hello() { printf("never seen\n"); }

int main() {
  hello<<<1, 1>>>();
  CHECK_EQ(cudaGetLastError(), cudaSuccess);
  printf("host only\n");
  RETURN_RESULT();
}

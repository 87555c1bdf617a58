// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What was printed before the last synchronising call appears; what came after is lost.
// stdout: kept 1
// stdout: kept 2
// stdout: host
#include "check.h"

__global__ void print(const char *, int number, bool kept) {
  if (kept)
    printf("kept %d\n", number);
  else
    printf("lost %d\n", number);
}

int main() {
  print<<<1, 1>>>(nullptr, 1, true);
  print<<<1, 1>>>(nullptr, 2, true);
  CHECK_EQ(cudaDeviceSynchronize(), cudaSuccess);
  printf("host\n");
  fflush(stdout);
  print<<<1, 1>>>(nullptr, 3, false);
  CHECK_EQ(cudaGetLastError(), cudaSuccess);
  RETURN_RESULT();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program that ends without asking never learns of the fault in its kernel: it ends as usual.
// exit: 5
// stdout: end
#include "check.h"

__global__ void writeTo(int *p) { *p = 1; }

int main() {
  writeTo<<<100, 32>>>(nullptr);
  CHECK_EQ(cudaGetLastError(), cudaSuccess);
  puts("end");
  return check::result() == 0 ? 5 : 1;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A CUDA program is an ordinary program: it gets its arguments and gives its exit code.
// args: 6 --factor=7 "two words"
// exit: 42
// stdout: two words
#include "check.h"

__global__ void multiply(int a, int b, int *out) { *out = a * b; }

int main(int argc, char **argv) {
  CHECK_EQ(argc, 4);
  int factor = 0;
  CHECK_EQ(sscanf(argv[2], "--factor=%d", &factor), 1);
  DeviceBuffer<int> out(1);
  multiply<<<1, 1>>>(atoi(argv[1]), factor, out);
  puts(argv[3]);
  const int product = out.download()[0];
  return check::result() == 0 ? product : 1;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The smallest program.
#include <cstdio>

__global__ void hello() { printf("hello from %d\n", threadIdx.x); }

int main() {
  hello<<<1, 4>>>();
  return cudaDeviceSynchronize();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -rdc=true -lcudadevrt
// stdout: child 0
// stdout: child 1
// stdout: child 2
// stdout: tail
//
// What children print comes out when the host waits for the parent.
#include "../check.h"

__global__ void child(int i) { printf("child %d\n", i); }
__global__ void tail() { printf("tail\n"); }
__global__ void parent() {
  tail<<<1, 1, 0, cudaStreamTailLaunch>>>();
  for (int i = 0; i < 3; ++i)
    child<<<1, 1>>>(i);
}

int main() {
  parent<<<1, 1>>>();
  CHECK_EQ(cudaDeviceSynchronize(), cudaSuccess);
  RETURN_RESULT();
}

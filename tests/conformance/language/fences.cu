// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Message passing with __threadfence, __threadfence_block and __threadfence_system: a thread that
// sees the flag sees the data.
#include "check.h"

__device__ volatile int data[3], flags[3];

__device__ void fence(int kind) {
  if (kind == 0)
    __threadfence();
  else if (kind == 1)
    __threadfence_block();
  else
    __threadfence_system();
}

// Warp 1 waits for warp 0 of the same block.
__global__ void withinBlock(int *out, int kind) {
  if (threadIdx.x == 0) {
    data[kind] = 42 + kind;
    fence(kind);
    flags[kind] = 1;
  } else if (threadIdx.x == 32) {
    while (!flags[kind]) {
    }
    fence(kind);
    out[kind] = data[kind];
  }
}

// Block 1 waits for block 0.
__global__ void betweenBlocks(int *out) {
  if (blockIdx.x == 0) {
    data[0] = 99;
    __threadfence();
    flags[0] = 2;
  } else {
    while (flags[0] != 2) {
    }
    __threadfence();
    out[3] = data[0];
  }
}

int main() {
  DeviceBuffer<int> out(4);
  for (int kind = 0; kind < 3; ++kind)
    withinBlock<<<1, 64>>>(out, kind);
  betweenBlocks<<<2, 1>>>(out);
  const std::vector<int> result = out.download();
  CHECK(result[0] == 42 && result[1] == 43 && result[2] == 44);
  CHECK_EQ(result[3], 99);
  RETURN_RESULT();
}

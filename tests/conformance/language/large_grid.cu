// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A grid of more than 65535 blocks in x and of 65535 in y: indices do not wrap, and every block
// runs once.
#include "check.h"

__global__ void mark(unsigned *sum, unsigned long long *indexSum) {
  const unsigned block = blockIdx.x + gridDim.x * blockIdx.y;
  atomicAdd(&sum[block % 64], 1);
  atomicAdd(indexSum, (unsigned long long)block);
}

static void checkGrid(dim3 grid) {
  DeviceBuffer<unsigned> sum(64);
  DeviceBuffer<unsigned long long> indexSum(1);
  mark<<<grid, 1>>>(sum, indexSum);
  const unsigned long long blocks = (unsigned long long)grid.x * grid.y;
  unsigned long long ran = 0;
  for (unsigned part : sum.download())
    ran += part;
  CHECK_EQ(ran, blocks);
  CHECK_EQ(indexSum.download()[0], blocks * (blocks - 1) / 2);
}

int main() {
  checkGrid(dim3(100000));
  checkGrid(dim3(2, 65535));
  RETURN_RESULT();
}

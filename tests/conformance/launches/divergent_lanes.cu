// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -rdc=true -lcudadevrt
//
// Lanes that have parted, in loops and branches, launch for themselves; each with a configuration
// and arguments of its own.
#include "../check.h"

__global__ void child(int *to, int value) {
  atomicAdd(to, value * (int)(blockDim.x * gridDim.x + blockDim.y));
}

__global__ void parent(int *to, int threads) {
  const int me = blockIdx.x * blockDim.x + threadIdx.x;
  if (me >= threads)
    return;
  for (int i = 0; i < me % 4; ++i)
    if ((me + i) % 3)
      child<<<1 + i, dim3(1, 1 + me % 2)>>>(to + me, me + i);
    else
      to[me] += 1000;
}

int main() {
  const int threads = 150;
  DeviceBuffer<int> to(threads);
  parent<<<3, 64>>>(to, threads);
  const std::vector<int> got = to.download();
  for (int me = 0; me < threads; ++me) {
    int expected = 0;
    for (int i = 0; i < me % 4; ++i)
      if ((me + i) % 3) {
        const int rows = 1 + me % 2, grid = 1 + i;
        expected += (me + i) * (grid + rows) * grid * rows;
      } else {
        expected += 1000;
      }
    CHECK_EQ(got[me], expected);
  }
  RETURN_RESULT();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -rdc=true -lcudadevrt
//
// A kernel that launches itself 24 levels deep, two children each at the first levels.
#include "../check.h"

__global__ void descend(int *levels, int level, int wide) {
  if (threadIdx.x == 0)
    atomicAdd(&levels[level], 1);
  __syncthreads();
  if (level < 24 && threadIdx.x < (level < wide ? 2 : 1))
    descend<<<1, 64>>>(levels, level + 1, wide);
}

int main() {
  DeviceBuffer<int> levels(25);
  descend<<<1, 64>>>(levels, 0, 4);
  const std::vector<int> got = levels.download();
  for (int i = 0; i <= 24; ++i)
    CHECK_EQ(got[i], 1 << (i < 4 ? i : 4));
  RETURN_RESULT();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cooperative_groups thread_block: rank, size, group and thread index, dimensions and sync, in a
// 3-D block.
#include "check.h"
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void useBlock(int *out) {
  __shared__ int shared[60];
  const cg::thread_block block = cg::this_thread_block();
  const unsigned rank = block.thread_rank();
  shared[rank] = rank;
  block.sync();
  const int next = shared[(rank + 1) % block.size()];
  cg::sync(block);
  int *own = out + (blockIdx.x * 60 + rank) * 4;
  own[0] = next;
  own[1] = block.thread_index().x + 100 * block.thread_index().y + 10000 * block.thread_index().z;
  own[2] = block.group_index().x;
  own[3] = block.dim_threads().x + 100 * block.dim_threads().y + 10000 * block.dim_threads().z;
}

int main() {
  DeviceBuffer<int> out(480);
  useBlock<<<2, dim3(5, 4, 3)>>>(out);
  const std::vector<int> result = out.download();
  for (int i = 0; i < 120; ++i) {
    const int rank = i % 60;
    CHECK_EQ(result[4 * i], (rank + 1) % 60);
    CHECK_EQ(result[4 * i + 1], rank % 5 + 100 * (rank / 5 % 4) + 10000 * (rank / 20));
    CHECK_EQ(result[4 * i + 2], i / 60);
    CHECK_EQ(result[4 * i + 3], 30405);
  }
  RETURN_RESULT();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cudaLaunchCooperativeKernel: all blocks are resident and meet at grid.sync(); a grid that does
// not fit is refused.
#include "check.h"
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void rotate(int *data, int rounds) {
  cg::grid_group grid = cg::this_grid();
  const int n = int(grid.size()), i = int(grid.thread_rank());
  for (int round = 0; round < rounds; ++round) {
    const int next = data[(i + 1) % n];
    grid.sync();
    data[i] = next;
    grid.sync();
  }
}

int main() {
  int supported = 0, processors = 0, perProcessor = 0;
  CHECK_CUDA(cudaDeviceGetAttribute(&supported, cudaDevAttrCooperativeLaunch, 0));
  CHECK_EQ(supported, 1);
  CHECK_CUDA(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0));
  CHECK_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&perProcessor, rotate, 64, 0));
  const int blocks = 16, n = blocks * 64;
  int rounds = 5;
  std::vector<int> values(n);
  for (int i = 0; i < n; ++i)
    values[i] = i;
  DeviceBuffer<int> data(values);
  int *pointer = data;
  void *arguments[] = {&pointer, &rounds};
  CHECK_CUDA(cudaLaunchCooperativeKernel((const void *)rotate, blocks, 64, arguments));
  const std::vector<int> result = data.download();
  for (int i = 0; i < n; ++i)
    CHECK_EQ(result[i], (i + rounds) % n);
  CHECK_EQ(cudaLaunchCooperativeKernel((const void *)rotate, processors * perProcessor + 1, 64,
                                       arguments),
           cudaErrorCooperativeLaunchTooLarge);
  CHECK_EQ(cudaGetLastError(), cudaErrorCooperativeLaunchTooLarge);
  RETURN_RESULT();
}

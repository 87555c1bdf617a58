// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// grid_group: rank, size and sync in a cooperative launch; each round reads what other blocks
// wrote in the round before.
#include "check.h"
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void rotate(int *a, int *b, int rounds) {
  const cg::grid_group grid = cg::this_grid();
  const unsigned long long n = grid.size(), i = grid.thread_rank();
  for (int round = 0; round < rounds; ++round) {
    b[i] = a[(i + blockDim.x + 1) % n] + 1;
    grid.sync();
    int *old = a;
    a = b;
    b = old;
  }
}

int main() {
  const int blocks = 8, threads = 96, n = blocks * threads;
  int rounds = 7;
  std::vector<int> values(n);
  for (int i = 0; i < n; ++i)
    values[i] = 10 * i;
  DeviceBuffer<int> a(values), b(n);
  int *pointerA = a, *pointerB = b;
  void *arguments[] = {&pointerA, &pointerB, &rounds};
  CHECK_CUDA(cudaLaunchCooperativeKernel(reinterpret_cast<void *>(rotate), blocks, threads,
                                         arguments, 0, nullptr));
  const std::vector<int> result = b.download();
  for (int i = 0; i < n; ++i)
    CHECK_EQ(result[i], 10 * ((i + 7 * (threads + 1)) % n) + 7);
  int perSm = 0, sms = 0;
  CHECK_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&perSm, rotate, threads, 0));
  CHECK_CUDA(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
  // More blocks than fit at once are refused.
  CHECK_EQ(cudaLaunchCooperativeKernel(reinterpret_cast<void *>(rotate), perSm * sms + 1, threads,
                                       arguments, 0, nullptr),
           cudaErrorCooperativeLaunchTooLarge);
  RETURN_RESULT();
}

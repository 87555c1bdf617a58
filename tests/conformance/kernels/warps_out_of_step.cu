// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Warps of a persistent kernel go round until all of them have done so often enough. A lane that
// had something to do is one __syncwarp() behind the others of its warp from then on, so the warp
// always has lanes that can go on; the warps and blocks that it waits for must get their turns.
#include "check.h"

constexpr unsigned all_lanes = 0xffffffffu;

__global__ void goRound(unsigned *ready, unsigned turns, unsigned first_end, int *done) {
  const unsigned warps = gridDim.x * blockDim.x / 32;
  unsigned index = threadIdx.x, turn = 0;
  int mine = 0;
  for (;;) {
    while (index < first_end) {
      ++mine;
      __syncwarp(all_lanes);
      index += 1000;
    }
    __syncwarp(all_lanes);
    if (*(volatile unsigned *)ready == warps)
      break;
    if (++turn == turns && threadIdx.x % 32 == 0)
      atomicAdd(ready, 1);
    __syncwarp(all_lanes);
  }
  done[blockIdx.x * blockDim.x + threadIdx.x] = mine;
}

void goRoundWith(unsigned blocks, unsigned threads, unsigned turns, unsigned first_end) {
  DeviceBuffer<unsigned> ready(std::vector<unsigned>(1, 0));
  DeviceBuffer<int> done(blocks * threads);
  goRound<<<blocks, threads>>>(ready, turns, first_end, done);
  const std::vector<int> got = done.download();
  for (unsigned i = 0; i < blocks * threads; ++i)
    CHECK_EQ(got[i], int(i % threads < first_end));
}

int main() {
  goRoundWith(1, 64, 600, 0);
  goRoundWith(1, 64, 600, 1);  // the second warp is in step
  goRoundWith(1, 64, 600, 33); // it has a lane behind, too
  goRoundWith(1, 256, 600, 1);
  goRoundWith(40, 64, 600, 5);
  RETURN_RESULT();
}

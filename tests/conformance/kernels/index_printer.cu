// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Warp and lane of each thread in 2-D and 3-D blocks: threads are numbered x first, and the last
// warp may be partial.
#include "check.h"

struct Place {
  int warp, lane, rank, warps;
};

__global__ void place(Place *places) {
  const int rank = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  const int threads = blockDim.x * blockDim.y * blockDim.z;
  unsigned lane;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  places[rank] = Place{rank / warpSize, int(lane), rank, (threads + warpSize - 1) / warpSize};
}

static void checkBlock(dim3 block, int expectedWarps) {
  const int threads = block.x * block.y * block.z;
  DeviceBuffer<Place> device(threads);
  place<<<1, block>>>(device);
  const std::vector<Place> places = device.download();
  for (int i = 0; i < threads; ++i) {
    CHECK_EQ(places[i].rank, i);
    CHECK_EQ(places[i].warp, i / 32);
    CHECK_EQ(places[i].lane, i % 32);
    CHECK_EQ(places[i].warps, expectedWarps);
  }
}

int main() {
  checkBlock(dim3(24, 12), 9);
  checkBlock(dim3(48), 2); // the second warp has 16 threads
  checkBlock(dim3(5, 3, 7), 4);
  // Warp 2 of a (24, 12) block starts at thread 64, which is x=16, y=2.
  CHECK_EQ(2 * 32 % 24, 16);
  CHECK_EQ(2 * 32 / 24, 2);
  RETURN_RESULT();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// threadIdx, blockIdx, blockDim, gridDim and warpSize in 1-D, 2-D and 3-D launches, unused
// dimensions being 0 and 1.
#include "check.h"

struct Place {
  uint3 thread, block;
  dim3 threads, blocks;
  int warp;
};

__global__ void record(Place *places) {
  const unsigned block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
  const unsigned thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  places[block * (blockDim.x * blockDim.y * blockDim.z) + thread] =
      Place{threadIdx, blockIdx, blockDim, gridDim, warpSize};
}

static void checkLaunch(dim3 grid, dim3 block) {
  const unsigned threads = block.x * block.y * block.z, blocks = grid.x * grid.y * grid.z;
  DeviceBuffer<Place> device(threads * blocks);
  record<<<grid, block>>>(device);
  const std::vector<Place> places = device.download();
  for (unsigned b = 0; b < blocks; ++b)
    for (unsigned t = 0; t < threads; ++t) {
      const Place &place = places[b * threads + t];
      CHECK_EQ(place.thread.x, t % block.x);
      CHECK_EQ(place.thread.y, t / block.x % block.y);
      CHECK_EQ(place.thread.z, t / block.x / block.y);
      CHECK_EQ(place.block.x, b % grid.x);
      CHECK_EQ(place.block.y, b / grid.x % grid.y);
      CHECK_EQ(place.block.z, b / grid.x / grid.y);
      CHECK(place.threads.x == block.x && place.threads.y == block.y && place.threads.z == block.z);
      CHECK(place.blocks.x == grid.x && place.blocks.y == grid.y && place.blocks.z == grid.z);
      CHECK_EQ(place.warp, 32);
    }
}

int main() {
  checkLaunch(5, 70);
  checkLaunch(dim3(3, 2), dim3(9, 5));
  checkLaunch(dim3(2, 3, 4), dim3(4, 3, 7));
  checkLaunch(dim3(1, 1, 3), dim3(1, 1, 64));
  checkLaunch(1, 1024);
  RETURN_RESULT();
}

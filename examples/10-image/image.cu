// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A picture: blocks and grids in two dimensions, and what the edges cost.
//
// Each thread doubles one pixel. Blocks are 16 x 16, the grid covers the picture, and the blocks at
// the right and lower edge may stick out: a thread outside must not touch anything.
//
// The hardware runs threads in warps of 32: here two rows of 16. Where all 32 are inside, or all
// outside, the `if` costs nothing. Where some are inside and some outside, the warp diverges: it
// runs with part of its lanes idle. The kernel counts such warps, with a vote of all lanes.
//
//   800 x 600: 800 = 50 * 16, and 600 ends on a border between warps: none diverge
//   800 x 599: in each of the 50 blocks of the last row, the warp with lines 598 and 599 is split
//   799 x 600: each of the 300 warps down the right edge is split
#include "../check.h"

#include <vector>

struct Count {
  int warps, diverging;
};

__global__ void twice(unsigned char *picture, int width, int height, Count *count) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  bool inside = x < width && y < height;

  unsigned lanes_inside = __ballot_sync(0xffffffff, inside); // one bit for each lane of the warp
  int thread = threadIdx.y * blockDim.x + threadIdx.x; // x first: warps are cut from this order
  if (thread % warpSize == 0) {
    atomicAdd(&count->warps, 1);
    if (lanes_inside != 0 && lanes_inside != 0xffffffff)
      atomicAdd(&count->diverging, 1);
  }

  if (inside) {
    int value = 2 * picture[y * width + x];
    picture[y * width + x] = value > 255 ? 255 : value;
  }
}

bool doubled(int width, int height, Count expected) {
  std::vector<unsigned char> picture(width * height), result(width * height);
  for (int i = 0; i < width * height; ++i)
    picture[i] = static_cast<unsigned char>(i % 251);

  unsigned char *d_picture;
  Count *d_count, count;
  CHECK(cudaMalloc(&d_picture, picture.size()));
  CHECK(cudaMalloc(&d_count, sizeof(Count)));
  CHECK(cudaMemset(d_count, 0, sizeof(Count)));
  CHECK(cudaMemcpy(d_picture, picture.data(), picture.size(), cudaMemcpyHostToDevice));

  const dim3 block(16, 16);
  const dim3 grid((width + block.x - 1) / block.x, (height + block.y - 1) / block.y);
  twice<<<grid, block>>>(d_picture, width, height, d_count);
  CHECK(cudaGetLastError());

  CHECK(cudaMemcpy(result.data(), d_picture, result.size(), cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(&count, d_count, sizeof(Count), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(d_picture));
  CHECK(cudaFree(d_count));

  bool right = count.warps == expected.warps && count.diverging == expected.diverging;
  for (int i = 0; i < width * height; ++i)
    right = right && result[i] == (picture[i] < 128 ? 2 * picture[i] : 255);
  std::printf("%d x %d: %d warps, %d diverge %s\n", width, height, count.warps, count.diverging,
              right ? "(right)" : "(WRONG)");
  return right;
}

int main() {
  bool right = doubled(800, 600, {15200, 0});
  right = doubled(800, 599, {15200, 50}) && right;
  right = doubled(799, 600, {15200, 300}) && right;
  return right ? 0 : 1;
}

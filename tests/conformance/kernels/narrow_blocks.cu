// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Large grids of blocks that are narrow along x, by kernels that ask only for their place in the
// grid, and by kernels that ask for more.
#include "check.h"

__global__ void ownPlace(int *out, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  const int z = blockIdx.z * blockDim.z + threadIdx.z;
  out[(z * height + y) * width + x] = x * 3 + y * 5 + z * 7;
}

// The neighbours' values, with the border's repeated.
__global__ void blur(int *out, const int *in, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height)
    return;
  int sum = 0;
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx)
      sum += in[min(max(y + dy, 0), height - 1) * width + min(max(x + dx, 0), width - 1)];
  out[y * width + x] = sum;
}

// The block's width is in the code.
__global__ void knownWidth(int *out, int width) {
  const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  out[y * width + x] = x - y;
}

__global__ void __launch_bounds__(16) bounded(int *out) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  out[x] = 2 * x;
}

__global__ void ownBlock(int *out, int width) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  out[y * width + x] = int(blockIdx.x * 1000 + threadIdx.x * 10 + blockDim.x % 10);
}

static void checkShape(dim3 block, dim3 grid) {
  const int width = int(block.x * grid.x), height = int(block.y * grid.y);
  const int depth = int(block.z * grid.z), count = width * height * depth;
  DeviceBuffer<int> in(count), out(count);
  ownPlace<<<grid, block>>>(in, width, height);
  int wrong = 0;
  const std::vector<int> places = in.download();
  for (int z = 0, i = 0; z < depth; ++z)
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x, ++i)
        wrong += places[i] != x * 3 + y * 5 + z * 7;
  CHECK_EQ(wrong, 0);
  if (depth > 1)
    return;
  // A part of it: the last blocks are not full.
  const int inner_width = width - 3, inner_height = height - 1;
  blur<<<grid, block>>>(out, in, inner_width, inner_height);
  const std::vector<int> blurred = out.download();
  const auto clamped = [](int i, int n) { return i < 0 ? 0 : i < n ? i : n - 1; };
  for (int y = 0; y < inner_height; ++y)
    for (int x = 0; x < inner_width; ++x) {
      int sum = 0;
      for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx)
          sum += places[clamped(y + dy, inner_height) * inner_width + clamped(x + dx, inner_width)];
      wrong += blurred[y * inner_width + x] != sum;
    }
  for (int i = inner_width * inner_height; i < count; ++i)
    wrong += blurred[i] != 0;
  CHECK_EQ(wrong, 0);
  ownBlock<<<grid, block>>>(out, width);
  const std::vector<int> blocks = out.download();
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      wrong += blocks[y * width + x] != int(x / block.x * 1000 + x % block.x * 10 + block.x % 10);
  CHECK_EQ(wrong, 0);
}

int main() {
  for (const dim3 grid : {dim3(64, 33), dim3(66, 40), dim3(63, 50), dim3(4, 300), dim3(512)})
    for (const dim3 block : {dim3(8, 8), dim3(16, 16), dim3(16, 3), dim3(4, 16), dim3(2, 5),
                             dim3(1, 64), dim3(10, 4), dim3(16), dim3(8)})
      checkShape(block, grid);
  checkShape(dim3(8, 8, 8), dim3(12, 5, 8));
  checkShape(dim3(4, 4, 4), dim3(16, 4, 10));

  for (int rows : {4, 16}) {
    const int width = 16 * 64, height = rows * 20;
    DeviceBuffer<int> out(width * height);
    knownWidth<<<dim3(64, 20), dim3(16, rows)>>>(out, width);
    const std::vector<int> numbers = out.download();
    int wrong = 0;
    for (int i = 0; i < width * height; ++i)
      wrong += numbers[i] != i % width - i / width;
    CHECK_EQ(wrong, 0);
  }
  // Here neighbouring blocks overlap.
  DeviceBuffer<int> overlapping(16 * 63 + 8);
  knownWidth<<<64, 8>>>(overlapping, 0);
  const std::vector<int> numbers = overlapping.download();
  for (int i = 0; i < 16 * 63 + 8; ++i)
    CHECK_EQ(numbers[i], i % 16 < 8 ? i : 0);

  DeviceBuffer<int> doubled(16 * 4096);
  bounded<<<4096, 16>>>(doubled);
  int wrong = 0;
  const std::vector<int> result = doubled.download();
  for (int i = 0; i < 16 * 4096; ++i)
    wrong += result[i] != 2 * i;
  CHECK_EQ(wrong, 0);
  RETURN_RESULT();
}

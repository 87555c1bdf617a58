// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Transpose naive, through a shared 32x32 tile and through a padded 32x33 tile, with a block of
// 32x8 threads and partial tiles at the edges.
#include "check.h"

__global__ void naive(const float *in, float *out, int width, int height) {
  const int x = blockIdx.x * 32 + threadIdx.x;
  for (int y = blockIdx.y * 32 + threadIdx.y; y < min(height, int(blockIdx.y) * 32 + 32); y += 8)
    if (x < width)
      out[x * height + y] = in[y * width + x];
}

template <int columns>
__global__ void throughTile(const float *in, float *out, int width, int height) {
  __shared__ float tile[32][columns];
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int i = 0; i < 32; i += 8)
    if (x < width && y + i < height)
      tile[threadIdx.y + i][threadIdx.x] = in[(y + i) * width + x];
  __syncthreads();
  const int outX = blockIdx.y * 32 + threadIdx.x, outY = blockIdx.x * 32 + threadIdx.y;
  for (int i = 0; i < 32; i += 8)
    if (outX < height && outY + i < width)
      out[(outY + i) * height + outX] = tile[threadIdx.x][threadIdx.y + i];
}

static void checkShape(int width, int height) {
  std::vector<float> values(width * height), expected(width * height);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      expected[x * height + y] = values[y * width + x] = float(y * width + x);
  DeviceBuffer<float> in(values), a(values.size()), b(values.size()), c(values.size());
  const dim3 grid((width + 31) / 32, (height + 31) / 32), block(32, 8);
  naive<<<grid, block>>>(in, a, width, height);
  throughTile<32><<<grid, block>>>(in, b, width, height);
  throughTile<33><<<grid, block>>>(in, c, width, height);
  CHECK(a.download() == expected);
  CHECK(b.download() == expected);
  CHECK(c.download() == expected);
}

int main() {
  checkShape(256, 128);
  checkShape(100, 70);
  checkShape(1, 33);
  RETURN_RESULT();
}

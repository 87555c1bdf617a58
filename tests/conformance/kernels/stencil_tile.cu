// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// 5-point stencil with a shared tile whose halo is loaded by the edge threads only; equals the
// same stencil read from global memory, bit by bit.
#include "check.h"

const int tile = 16;

__global__ void throughTile(const int *in, int *out, int w, int h) {
  __shared__ int shared[tile + 2][tile + 2];
  const int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
  const int x = blockIdx.x * tile + threadIdx.x, y = blockIdx.y * tile + threadIdx.y;
  const bool inside = x < w && y < h;
  if (inside) {
    shared[ty][tx] = in[y * w + x];
    if (tx == 1)
      shared[ty][0] = x > 0 ? in[y * w + x - 1] : 0;
    if (tx == tile || x == w - 1)
      shared[ty][tx + 1] = x < w - 1 ? in[y * w + x + 1] : 0;
    if (ty == 1)
      shared[0][tx] = y > 0 ? in[(y - 1) * w + x] : 0;
    if (ty == tile || y == h - 1)
      shared[ty + 1][tx] = y < h - 1 ? in[(y + 1) * w + x] : 0;
  }
  __syncthreads();
  if (inside)
    out[y * w + x] = shared[ty - 1][tx] + shared[ty + 1][tx] + shared[ty][tx - 1] +
                     shared[ty][tx + 1] - 4 * shared[ty][tx];
}

int main() {
  const int w = 75, h = 50;
  std::vector<int> values(w * h);
  for (int i = 0; i < w * h; ++i)
    values[i] = i * i % 1013;
  DeviceBuffer<int> in(values), out(w * h);
  throughTile<<<dim3((w + tile - 1) / tile, (h + tile - 1) / tile), dim3(tile, tile)>>>(in, out, w,
                                                                                        h);
  const std::vector<int> result = out.download();
  auto at = [&](int x, int y) {
    return x < 0 || y < 0 || x >= w || y >= h ? 0 : values[y * w + x];
  };
  for (int y = 0; y < h; ++y)
    for (int x = 0; x < w; ++x)
      CHECK_EQ(result[y * w + x],
               at(x, y - 1) + at(x, y + 1) + at(x - 1, y) + at(x + 1, y) - 4 * at(x, y));
  RETURN_RESULT();
}

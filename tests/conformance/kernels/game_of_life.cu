// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Game of Life on a torus: a glider comes back one cell further along after four generations,
// and a random field follows the host's.
#include "check.h"

const int edge = 64;

__host__ __device__ int nextState(const unsigned char *cells, int x, int y) {
  int neighbours = 0;
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx)
      if (dx != 0 || dy != 0)
        neighbours += cells[(y + dy + edge) % edge * edge + (x + dx + edge) % edge];
  return neighbours == 3 || (neighbours == 2 && cells[y * edge + x]);
}

__global__ void step(const unsigned char *in, unsigned char *out) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  out[y * edge + x] = nextState(in, x, y);
}

static std::vector<unsigned char> live(const std::vector<unsigned char> &start, int generations) {
  DeviceBuffer<unsigned char> a(start), b(start.size());
  unsigned char *in = a, *out = b;
  for (int i = 0; i < generations; ++i) {
    step<<<dim3(edge / 32, edge / 8), dim3(32, 8)>>>(in, out);
    std::swap(in, out);
  }
  return (in == a.data() ? a : b).download();
}

int main() {
  std::vector<unsigned char> glider(edge * edge), moved(edge * edge), field(edge * edge);
  const int cells[5][2] = {{1, 0}, {2, 1}, {0, 2}, {1, 2}, {2, 2}};
  for (const auto &cell : cells) {
    glider[cell[1] * edge + cell[0]] = 1;
    moved[(cell[1] + 1) * edge + cell[0] + 1] = 1;
  }
  CHECK(live(glider, 4) == moved);
  CHECK(live(glider, 4 * edge) == glider); // once around the torus
  for (int i = 0; i < edge * edge; ++i)
    field[i] = i * 7919 % 31 < 11;
  std::vector<unsigned char> expected = field, next(field.size());
  for (int generation = 0; generation < 9; ++generation) {
    for (int y = 0; y < edge; ++y)
      for (int x = 0; x < edge; ++x)
        next[y * edge + x] = nextState(expected.data(), x, y);
    expected.swap(next);
  }
  CHECK(live(field, 9) == expected);
  RETURN_RESULT();
}

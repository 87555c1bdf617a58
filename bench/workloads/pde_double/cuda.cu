// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A block takes a column of the grid, a plane at a time. A thread keeps the points above and below
// its own in registers; the block shares the plane between them, with a border, in shared memory.
#include "common/cuda.h"
#include "problem.h"

using pde_double::center, pde_double::far, pde_double::near;

constexpr int R = pde_double::radius, BLOCK_X = 32, BLOCK_Y = 8;

// All arrays begin at the border's first point. `next` may be `before`.
__global__ void advance(double *next, const double *before, const double *now, int size,
                        int pitch) {
  __shared__ double tile[BLOCK_Y + 2 * R][BLOCK_X + 2 * R];
  const int first_x = blockIdx.x * BLOCK_X, first_y = blockIdx.y * BLOCK_Y; // of the tile
  const int x = first_x + threadIdx.x, y = first_y + threadIdx.y;
  const bool inside = x < size && y < size;
  const int plane = pitch * pitch;
  const int i = (y + R) * pitch + x + R; // of the own point, in each plane
  const int tx = threadIdx.x + R, ty = threadIdx.y + R;

  double below2 = 0, below1 = 0, own = 0, above1 = 0, above2 = 0;
  if (inside) {
    below1 = now[i];
    own = now[i + plane];
    above1 = now[i + 2 * plane];
    above2 = now[i + 3 * plane];
  }
  for (int z = R; z < size + R; ++z) {
    below2 = below1;
    below1 = own;
    own = above1;
    above1 = above2;
    if (inside)
      above2 = now[i + (z + 2) * plane];

    __syncthreads(); // all have read the tile of the plane before
    for (int row = threadIdx.y; row < BLOCK_Y + 2 * R; row += BLOCK_Y)
      for (int column = threadIdx.x; column < BLOCK_X + 2 * R; column += BLOCK_X)
        if (first_y + row < pitch && first_x + column < pitch)
          tile[row][column] = now[z * plane + (first_y + row) * pitch + first_x + column];
    __syncthreads();

    if (inside) {
      const double around1 = tile[ty][tx - 1] + tile[ty][tx + 1] + tile[ty - 1][tx] +
                             tile[ty + 1][tx] + below1 + above1;
      const double around2 = tile[ty][tx - 2] + tile[ty][tx + 2] + tile[ty - 2][tx] +
                             tile[ty + 2][tx] + below2 + above2;
      next[i + z * plane] =
          (2 + 3 * center) * own - before[i + z * plane] + near * around1 + far * around2;
    }
  }
}

int main(int argc, char **argv) {
  const bench::Options options(argc, argv);
  const pde_double::Problem problem(options);
  const double *before = bench::toDevice(problem.before), *now = bench::toDevice(problem.now);
  double *even = bench::onDevice<double>(problem.points());
  double *odd = bench::onDevice<double>(problem.points());
  const dim3 block(BLOCK_X, BLOCK_Y);
  const dim3 grid((problem.size + BLOCK_X - 1) / BLOCK_X, (problem.size + BLOCK_Y - 1) / BLOCK_Y);

  const auto run = [&] {
    const int size = problem.size, pitch = problem.pitch;
    advance<<<grid, block>>>(even, before, now, size, pitch);
    advance<<<grid, block>>>(odd, now, even, size, pitch);
    for (int i = 2; i < problem.steps; i += 2) {
      advance<<<grid, block>>>(even, even, odd, size, pitch);
      advance<<<grid, block>>>(odd, odd, even, size, pitch);
    }
    bench::finish();
  };
  return bench::measure(options, pde_double::name, problem.bytes(), problem.flops(), run,
                        [&] { return problem.check(bench::toHost(odd, problem.points())); });
}

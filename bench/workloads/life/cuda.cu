// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "common/cuda.h"
#include "problem.h"

using life::Cell;

__global__ void generation(Cell *next, const Cell *field, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height)
    return;
  const int left = x > 0 ? x - 1 : width - 1, right = x < width - 1 ? x + 1 : 0;
  const Cell *row = field + y * width;
  const Cell *above = field + (y > 0 ? y - 1 : height - 1) * width;
  const Cell *below = field + (y < height - 1 ? y + 1 : 0) * width;
  const int neighbours = above[left] + above[x] + above[right] + row[left] + row[right] +
                         below[left] + below[x] + below[right];
  next[y * width + x] = neighbours == 3 || (neighbours == 2 && row[x]);
}

int main(int argc, char **argv) {
  const bench::Options options(argc, argv);
  const life::Problem problem(options);
  const int width = problem.width, height = problem.height;
  const Cell *start = bench::toDevice(problem.start);
  Cell *fields[] = {bench::onDevice<Cell>(problem.cells()), bench::onDevice<Cell>(problem.cells())};
  const dim3 block(32, 8), grid((width + 31) / 32, (height + 7) / 8);

  const auto run = [&] {
    for (int g = 0; g < problem.generations; ++g)
      generation<<<grid, block>>>(fields[g % 2], g == 0 ? start : fields[(g + 1) % 2], width,
                                  height);
    bench::finish();
  };
  return bench::measure(options, life::name, problem.bytes(), problem.flops(), run,
                        [&] { return problem.check(bench::toHost(fields[1], problem.cells())); });
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A block of 16 x 16 threads brings its tile and two pixels around it to shared memory.
#include "common/cuda.h"
#include "problem.h"

using convolution::radius;
using convolution::size;
constexpr int side = 16, tileSide = side + 2 * radius;

__constant__ float filter[size * size];

__global__ void filterImage(const float *in, float *out, int width, int height) {
  __shared__ float tile[tileSide][tileSide];
  const int left = blockIdx.x * side - radius, top = blockIdx.y * side - radius;
  for (int y = threadIdx.y; y < tileSide; y += side)
    for (int x = threadIdx.x; x < tileSide; x += side) {
      const int column = left + x, row = top + y;
      const bool inside = column >= 0 && column < width && row >= 0 && row < height;
      tile[y][x] = inside ? in[row * width + column] : 0.0f;
    }
  __syncthreads();

  const int column = blockIdx.x * side + threadIdx.x, row = blockIdx.y * side + threadIdx.y;
  if (column >= width || row >= height)
    return;
  float sum = 0;
  for (int y = 0; y < size; ++y)
    for (int x = 0; x < size; ++x)
      sum += filter[y * size + x] * tile[threadIdx.y + y][threadIdx.x + x];
  out[row * width + column] = sum;
}

int main(int argc, char **argv) {
  const bench::Options options(argc, argv);
  const convolution::Problem problem(options);
  const int width = problem.width, height = problem.height;
  const float *in = bench::toDevice(problem.image);
  float *out = bench::onDevice<float>(problem.elements());
  CHECK(cudaMemcpyToSymbol(filter, problem.filter, sizeof problem.filter));
  const dim3 threads(side, side), blocks((width + side - 1) / side, (height + side - 1) / side);

  return bench::measure(
      options, convolution::name, problem.bytes(), problem.flops(),
      [&] {
        filterImage<<<blocks, threads>>>(in, out, width, height);
        bench::finish();
      },
      [&] { return problem.check(bench::toHost(out, problem.elements())); });
}

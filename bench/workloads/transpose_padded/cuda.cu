// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "common/cuda.h"
#include "problem.h"

constexpr int side = 32, rows = 8; // a thread copies side / rows elements

__global__ void transposeKernel(const float *in, float *out, int width, int height) {
  __shared__ float tile[side][side + 1];
  int x = blockIdx.x * side + threadIdx.x;
  int y = blockIdx.y * side + threadIdx.y;
  for (int i = 0; i < side; i += rows)
    if (x < width && y + i < height)
      tile[threadIdx.y + i][threadIdx.x] = in[(y + i) * width + x];
  __syncthreads();
  x = blockIdx.y * side + threadIdx.x;
  y = blockIdx.x * side + threadIdx.y;
  for (int i = 0; i < side; i += rows)
    if (x < height && y + i < width)
      out[(y + i) * height + x] = tile[threadIdx.x][threadIdx.y + i];
}

int main(int argc, char **argv) {
  const bench::Options options(argc, argv);
  const transpose::Problem problem(options);
  const int width = problem.width, height = problem.height;
  const float *in = bench::toDevice(problem.input);
  float *out = bench::onDevice<float>(problem.elements());
  const dim3 threads(side, rows), blocks((width + side - 1) / side, (height + side - 1) / side);

  return bench::measure(
      options, workload, problem.bytes(), 0,
      [&] {
        transposeKernel<<<blocks, threads>>>(in, out, width, height);
        bench::finish();
      },
      [&] { return problem.check(bench::toHost(out, problem.elements())); });
}

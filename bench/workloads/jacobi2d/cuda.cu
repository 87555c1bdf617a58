// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "common/cuda.h"
#include "problem.h"

__global__ void step(const float *in, float *out, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || x >= width - 1 || y < 1 || y >= height - 1)
    return;
  const int i = y * width + x;
  out[i] = 0.25f * (in[i - 1] + in[i + 1] + in[i - width] + in[i + width]);
}

int main(int argc, char **argv) {
  const bench::Options options(argc, argv);
  const jacobi::Problem problem(options);
  const int width = problem.width, height = problem.height;
  const float *in = bench::toDevice(problem.grid);
  float *between = bench::toDevice(problem.grid), *out = bench::toDevice(problem.grid);
  const dim3 threads(32, 8), blocks((width + 31) / 32, (height + 7) / 8);

  return bench::measure(
      options, jacobi::name, problem.bytes(), problem.flops(),
      [&] {
        step<<<blocks, threads>>>(in, between, width, height);
        step<<<blocks, threads>>>(between, out, width, height);
        bench::finish();
      },
      [&] { return problem.check(bench::toHost(out, problem.elements())); });
}

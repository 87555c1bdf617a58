// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "common/cuda.h"
#include "problem.h"

__global__ void countSteps(int *steps, int width, int height, float left, float top, float step) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height)
    return;
  const float c_re = left + step * x, c_im = top + step * y;
  float re = 0, im = 0;
  int count = 0;
  while (count < mandelbrot::maxSteps && re * re + im * im <= 4.0f) {
    const float next = re * re - im * im + c_re;
    im = 2.0f * re * im + c_im;
    re = next;
    ++count;
  }
  steps[y * width + x] = count;
}

int main(int argc, char **argv) {
  const bench::Options options(argc, argv);
  const mandelbrot::Problem problem(options);
  const int width = problem.width, height = problem.height;
  int *steps = bench::onDevice<int>(problem.expected.size());
  const dim3 block(16, 16), grid((width + 15) / 16, (height + 15) / 16);

  return bench::measure(
      options, mandelbrot::name, problem.bytes(), problem.flops(),
      [&] {
        countSteps<<<grid, block>>>(steps, width, height, problem.left, problem.top, problem.step);
        bench::finish();
      },
      [&] { return problem.check(bench::toHost(steps, problem.expected.size())); });
}

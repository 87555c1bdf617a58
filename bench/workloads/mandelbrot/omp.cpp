// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Strips of a row's pixels in step, so that the compiler can use vectors for them, until the last
// has left; rows are dealt out as threads become free, since some take much longer.
#include "problem.h"

constexpr int strip = 32;

/// The steps of the `strip` pixels of row y from x on.
static void countSteps(const mandelbrot::Problem &problem, int x, int y, int *steps) {
  float c_re[strip], re[strip] = {}, im[strip] = {};
  for (int i = 0; i < strip; ++i) {
    c_re[i] = problem.left + problem.step * float(x + i);
    steps[i] = 0;
  }
  const float c_im = problem.top + problem.step * float(y);
  for (int count = 0; count < mandelbrot::maxSteps; ++count) {
    int inside = 0;
#pragma omp simd reduction(+ : inside)
    for (int i = 0; i < strip; ++i) {
      const float re2 = re[i] * re[i], im2 = im[i] * im[i];
      const int is_inside = re2 + im2 <= 4; // what left does not come back
      im[i] = 2 * re[i] * im[i] + c_im;
      re[i] = re2 - im2 + c_re[i];
      steps[i] += is_inside;
      inside += is_inside;
    }
    if (inside == 0)
      return;
  }
}

int main(int argc, char **argv) {
  const bench::Options options(argc, argv);
  const mandelbrot::Problem problem(options);
  const int width = problem.width, height = problem.height;
  bench::Buffer<int> steps(problem.expected.size());

  return bench::measure(
      options, mandelbrot::name, problem.bytes(), problem.flops(),
      [&] {
#pragma omp parallel for schedule(dynamic)
        for (int y = 0; y < height; ++y)
          for (int x = 0; x < width; x += strip) {
            int of_strip[strip];
            countSteps(problem, x, y, of_strip);
            for (int i = 0; i < strip && x + i < width; ++i)
              steps[std::size_t(y) * width + x + i] = of_strip[i];
          }
      },
      [&] { return problem.check(steps); });
}

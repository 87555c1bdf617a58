// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two vectors of a row's pixels at once, since each step waits for the one before. Whether all
// pixels have left is asked only now and then. Points in the set's two largest parts, the cardioid
// and the circle to its left, need no steps: both have a formula.
#include "common/stream.h"
#include "problem.h"

using bench::Floats, bench::Ints, bench::lanes, bench::splat;

constexpr int vectors = 2, strip = vectors * int(lanes);
constexpr int stepsTogether = 4; // between questions whether all have left; divides maxSteps

/// All bits of a lane set: c is in the cardioid or the circle.
static Ints isInLargeParts(Floats c_re, Floats c_im) {
  const Floats x = c_re - 0.25f, y2 = c_im * c_im, q = x * x + y2;
  const Floats from_circle = (c_re + 1.0f) * (c_re + 1.0f) + y2;
  return (q * (q + x) <= 0.25f * y2) | (from_circle <= 0.0625f);
}

static bool any(Ints v) { return __builtin_reduce_or(v) != 0; }

/// The steps of the `strip` pixels of row y from x on.
static void countSteps(const mandelbrot::Problem &problem, int x, int y, int *result) {
  Floats c_re[vectors], re[vectors] = {}, im[vectors] = {};
  Ints steps[vectors], moving[vectors];
  const Floats c_im = splat(problem.top + problem.step * float(y));
  for (int v = 0; v < vectors; ++v) {
    for (int lane = 0; lane < int(lanes); ++lane)
      c_re[v][lane] = problem.left + problem.step * float(x + v * int(lanes) + lane);
    moving[v] = ~isInLargeParts(c_re[v], c_im);
    steps[v] = ~moving[v] & mandelbrot::maxSteps;
  }
  for (int count = 0; count < mandelbrot::maxSteps; count += stepsTogether) {
    Ints left_over = {};
    for (int v = 0; v < vectors; ++v) {
      for (int s = 0; s < stepsTogether; ++s) {
        const Floats re2 = re[v] * re[v], im2 = im[v] * im[v];
        moving[v] &= re2 + im2 <= 4.0f;
        steps[v] -= moving[v]; // a true lane is -1
        im[v] = (re[v] + re[v]) * im[v] + c_im;
        re[v] = re2 - im2 + c_re[v];
      }
      left_over |= moving[v];
    }
    if (!any(left_over))
      break;
  }
  std::memcpy(result, steps, sizeof steps);
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
        for (int y = 0; y < height; ++y) {
          int *row = &steps[std::size_t(y) * width];
          int x = 0;
          for (; x + strip <= width; x += strip)
            countSteps(problem, x, y, row + x);
          int rest[strip];
          if (x < width)
            countSteps(problem, x, y, rest);
          for (int i = 0; x < width; ++x, ++i)
            row[x] = rest[i];
        }
      },
      [&] { return problem.check(steps); });
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "problem.h"

static void step(const bench::Buffer<float> &from, bench::Buffer<float> &to, int width,
                 int height) {
  const float *in = from.data();
  float *out = to.data();
#pragma omp parallel for
  for (int y = 1; y < height - 1; ++y) {
#pragma omp simd
    for (int x = 1; x < width - 1; ++x) {
      const int i = y * width + x;
      out[i] = 0.25f * (in[i - 1] + in[i + 1] + in[i - width] + in[i + width]);
    }
  }
}

int main(int argc, char **argv) {
  const bench::Options options(argc, argv);
  const jacobi::Problem problem(options);
  const int width = problem.width, height = problem.height;
  bench::Buffer<float> between(problem.elements()), out(problem.elements());
  std::copy_n(problem.grid.data(), problem.elements(), between.data());
  std::copy_n(problem.grid.data(), problem.elements(), out.data());

  return bench::measure(
      options, jacobi::name, problem.bytes(), problem.flops(),
      [&] {
        step(problem.grid, between, width, height);
        step(between, out, width, height);
      },
      [&] { return problem.check(out); });
}

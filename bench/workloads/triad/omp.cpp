// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "problem.h"

int main(int argc, char **argv) {
  const bench::Options options(argc, argv);
  const triad::Problem problem(options);
  bench::Buffer<float> result(problem.n);
  const std::size_t n = problem.n;
  float *a = result.data();
  const float *b = problem.b.data(), *c = problem.c.data();

  return bench::measure(
      options, triad::name, problem.bytes(), problem.flops(),
      [&] {
#pragma omp parallel for simd
        for (std::size_t i = 0; i < n; ++i)
          a[i] = b[i] + triad::scalar * c[i];
      },
      [&] { return problem.check(result); });
}

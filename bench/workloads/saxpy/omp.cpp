// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "problem.h"

int main(int argc, char **argv) {
  const bench::Options options(argc, argv);
  saxpy::Problem problem(options);
  const std::size_t n = problem.n;
  const float *x = problem.x.data();
  float *y = problem.y.data();

  return bench::measure(
      options, saxpy::name, problem.bytes(), problem.flops(),
      [&] {
        const float a = problem.a;
#pragma omp parallel for simd
        for (std::size_t i = 0; i < n; ++i)
          y[i] = a * x[i] + y[i];
        problem.ran();
      },
      [&] { return problem.check(problem.y); });
}

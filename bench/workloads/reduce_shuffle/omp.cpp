// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "problem.h"

int main(int argc, char **argv) {
  const bench::Options options(argc, argv);
  const reduce::Problem problem(options);
  const std::size_t n = problem.n;
  const float *values = problem.values.data();
  float sum = 0;

  return bench::measure(
      options, workload, problem.bytes(), 0,
      [&] {
        sum = 0;
#pragma omp parallel for simd reduction(+ : sum)
        for (std::size_t i = 0; i < n; ++i)
          sum += values[i];
      },
      [&] { return problem.check(sum); });
}
